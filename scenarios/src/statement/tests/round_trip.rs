//! Settings, written in each of the three forms, are read as the same settings.

use bakcast_models::quantity::Bytes;
use proptest::prelude::*;

use crate::schema::{BlockSize, TransferSize};
use crate::statement::paths::device_of;
use crate::{
    Document, Scenario, Statement, StatementKind, backup_statement, dbatools_call, ola_call,
    parse_statements, verify_statement,
};

/// Devices to write to.
const SCENARIO: &str = r#"title = "round trip"
volume.data = { device = "d1", size = "6 GiB" }
device.d1.fixed_rate.rate = "400 MB/s"
device.E.fixed_rate.rate = "400 MB/s"
device.usb-3.fixed_rate.rate = "400 MB/s"
device.out.null = {}
processor.logical_processors = 4
compression.ratio = 3.0
backup.stripes = ["d1"]
"#;

fn scenario() -> Scenario {
    let document = Document::from_bytes("trip.toml", SCENARIO.as_bytes().to_vec()).unwrap();
    document.load(None, &[]).unwrap().scenario
}

fn settings() -> impl Strategy<Value = Scenario> {
    let names = prop::sample::select(vec!["d1", "E", "usb-3"]);
    let stripes = prop_oneof![
        8 => prop::collection::vec(names.clone(), 1..9),
        2 => (names, 1_usize..65).prop_map(|(name, count)| vec![name; count]),
        1 => (1_usize..3).prop_map(|count| vec!["out"; count]),
    ];
    let counts = prop::option::of(1_u32..=65_536);
    let sizes = prop::option::of(1_u64..=64);
    let blocks = prop::option::of(0_u32..8);
    let verify = prop::option::of(any::<bool>());
    let name = "[A-Za-z_\\]'$ \\-.@#éß\"]{1,12}";
    (stripes, any::<bool>(), counts, sizes, blocks, verify, name).prop_map(
        |(stripes, compression, count, size, block, verify, name)| {
            let mut scenario = scenario();
            scenario.database.name = name;
            let backup = &mut scenario.backup;
            backup.stripes = stripes.into_iter().map(str::to_string).collect();
            backup.compression = compression;
            backup.buffer_count = count;
            backup.transfer_size = size.and_then(|n| TransferSize::new(Bytes::kibibytes(64 * n)));
            backup.block_size = block.and_then(|n| BlockSize::new(Bytes::new(512 << n)));
            scenario.verify.enabled = verify;
            scenario
        },
    )
}

/// The statement says what the scenario says.
fn same(scenario: &Scenario, text: &str) -> Result<(), TestCaseError> {
    let statements = parse_statements(text);
    let statements = statements.map_err(|p| TestCaseError::fail(format!("{text}\n{p}")))?;
    let [statement] = statements.as_slice() else {
        return Err(TestCaseError::fail(format!("{text}\n{statements:?}")));
    };
    let Statement { buffer_count, transfer_size, block_size, compression, .. } = statement;
    let backup = &scenario.backup;
    let devices = statement.targets.iter().map(|target| device_of(scenario, target));
    let devices: Vec<_> = devices.map(Option::unwrap_or_default).collect();
    prop_assert_eq!(&devices, &backup.stripes, "{}", text);
    prop_assert_eq!(statement.database.as_ref(), Some(&scenario.database.name), "{}", text);
    prop_assert_eq!(*compression, Some(backup.compression), "{}", text);
    prop_assert_eq!(*buffer_count, backup.buffer_count.map(u64::from), "{}", text);
    prop_assert_eq!(*transfer_size, backup.transfer_size.map(|s| s.bytes().get()), "{}", text);
    prop_assert_eq!(*block_size, backup.block_size.map(|s| s.bytes().get()), "{}", text);
    prop_assert!(statement.copy_only && statement.unresolved.is_empty(), "{}", text);
    Ok(())
}

/// Three forms of each make 10,000 round trips, but for what a tool cannot say.
const CASES: u32 = 3_400;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: CASES, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn what_is_written_is_read_again(scenario in settings()) {
        same(&scenario, &backup_statement(&scenario))?;
        for call in [ola_call(&scenario), dbatools_call(&scenario)].into_iter().flatten() {
            same(&scenario, &call)?;
            let statements = parse_statements(&call).unwrap();
            prop_assert_eq!(statements[0].verify, scenario.verify.enabled);
        }
        let verification = parse_statements(&verify_statement(&scenario)).unwrap();
        prop_assert_eq!(verification[0].kind, StatementKind::VerifyOnly);
        prop_assert_eq!(verification[0].targets.len(), scenario.backup.stripes.len());
    }
}
