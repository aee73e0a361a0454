use std::collections::BTreeSet;

use super::*;

fn axes() -> Vec<Vary> {
    let specs =
        ["backup.buffer_count=8..64*2", "compression=on,off", "transfer_size=1MiB,2MiB,4MiB"];
    specs.map(|spec| Vary::parse(spec).unwrap()).to_vec()
}

#[test]
fn a_grid_has_every_combination_once_the_last_axis_fastest() {
    let grid = Design::grid(axes(), 200).unwrap();
    assert_eq!(grid.count(), 24);
    let all: BTreeSet<Vec<&str>> = (0..24).map(|index| grid.labels(index)).collect();
    assert_eq!(all.len(), 24);
    assert_eq!(grid.labels(0), ["8", "on", "1MiB"]);
    assert_eq!(grid.labels(1), ["8", "on", "2MiB"]);
    assert_eq!(grid.labels(23), ["64", "off", "4MiB"]);
    assert_eq!(grid.configuration(3).sets.len(), 3);
    assert_eq!(Design::grid(axes(), 23), Err(DesignError::TooMany { count: 24, most: 23 }));
    let twice = vec![Vary::parse("stripes=d1").unwrap(), Vary::parse("backup.stripes=d2").unwrap()];
    assert!(matches!(Design::grid(twice, 9), Err(DesignError::Twice { .. })));
    assert_eq!(Design::grid(Vec::new(), 9), Err(DesignError::Nothing));
}

#[test]
fn a_latin_hypercube_takes_every_value_as_often_as_any_other() {
    for count in [1, 2, 5, 12, 13, 100] {
        let latin = Design::latin(axes(), count, 7).unwrap();
        assert_eq!(latin.count(), u64::from(count));
        for (axis, vary) in axes().iter().enumerate() {
            let mut taken = vec![0_u32; vary.settings.len()];
            (0..u64::from(count)).for_each(|index| taken[latin.values(index)[axis]] += 1);
            let (least, most) = (taken.iter().min().unwrap(), taken.iter().max().unwrap());
            assert!(most - least <= 1, "{count}: {taken:?}");
        }
    }
    let same = Design::latin(axes(), 100, 7).unwrap();
    assert_eq!(same, Design::latin(axes(), 100, 7).unwrap());
    assert_ne!(same, Design::latin(axes(), 100, 8).unwrap());
    // Axes are not in step with each other.
    let pairs: BTreeSet<Vec<usize>> = (0..100).map(|index| same.values(index)).collect();
    assert!(pairs.len() > 20, "{}", pairs.len());
}

#[test]
fn a_list_is_taken_line_by_line_and_an_empty_cell_changes_nothing() {
    let text = "buffer_count,variant,compression\n8,2,on\n,,off\n16,,\n8,2,on\n";
    let list = Design::list("x.csv", text.as_bytes()).unwrap();
    assert_eq!(
        list.paths().collect::<Vec<_>>(),
        ["backup.buffer_count", "variant", "backup.compression"]
    );
    assert_eq!(list.count(), 4);
    assert_eq!(list.labels(1), ["", "", "off"]);
    assert_eq!(list.configuration(1).sets.len(), 1);
    assert_eq!(list.configuration(0).variant.as_deref(), Some("2"));
    assert_eq!(list.configuration(0), list.configuration(3));
    for (text, part) in [
        ("", "nothing is varied"),
        ("bufer_count\n1\n", "line 1"),
        ("buffer_count\n1\nx\n", "line 3"),
        ("buffer_count\n", "no configuration"),
        ("buffer_count,compression\n1\n", "list"),
        ("stripes,backup.stripes\nd1,d2\n", "varied twice"),
        ("buffer_count\n\"1\n2\"\n", "control character"),
    ] {
        let error = Design::list("x.csv", text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(part), "{text:?}: {error}");
    }
    assert!(Design::list("x.csv", b"buffer_count\n\xff\xfe\n").is_err());
}
