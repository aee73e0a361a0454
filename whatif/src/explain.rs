//! Where the time goes: demands, bounds, what queueing theory says, and the knee in buffers.
//!
//! Where other jobs run at the same time, a station serves them as well, and a closed network of
//! one job's buffers does not describe it. So demands, bounds and theory are those of the backup
//! alone: others can only slow it, and what no run beats alone none beats beside them. The knee is
//! that of the backup as it is, with the others.

mod demand;
mod knee;
mod theory;

pub use demand::{Bounds, Demand};
pub use knee::{Knee, KneePoint};
pub use theory::Theory;

use bakcast_models::pipeline::BackupError;
use bakcast_scenarios::Resolved;
use bakcast_scenarios::predict::{Asked, Kept, PredictOptions, Prediction, durations};

use demand::Loop;

/// Where the time of a scenario goes.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The prediction that is explained.
    pub prediction: Prediction,
    /// The backup.
    pub backup: OperationExplanation,
    /// The verification, if there is one.
    pub verify: Option<OperationExplanation>,
}

/// Where the time of one operation goes.
#[derive(Debug, Clone, PartialEq)]
pub struct OperationExplanation {
    /// Buffer cycles of one run: transfers read.
    pub cycles: f64,
    /// Buffers that circulate.
    pub buffer_count: u32,
    /// What each station is asked for by this operation alone, in the order of the prediction's
    /// stations.
    pub demands: Vec<Demand>,
    /// What no run can beat.
    pub bounds: Bounds,
    /// The same pipeline as a closed network with exponential service, solved exactly.
    pub theory: Option<Theory>,
    /// How the duration depends on the number of buffers.
    pub knee: Knee,
}

/// What is said of one operation without running it again.
#[derive(Debug, Clone, PartialEq)]
pub struct Footing {
    /// Buffer cycles of one run: transfers read.
    pub cycles: f64,
    /// Buffers that circulate.
    pub buffer_count: u32,
    /// What each station is asked for, in the order of the prediction's stations.
    pub demands: Vec<Demand>,
    /// What no run can beat.
    pub bounds: Bounds,
    /// The same pipeline as a closed network with exponential service, solved exactly.
    pub theory: Option<Theory>,
}

/// Demands, bounds and theory of a prediction, of its backup and of its verification: what
/// [`explain`] says but for the knee, which takes many runs.
///
/// # Errors
/// [`BackupError`] if the backup without the jobs beside it is too large to simulate.
pub fn footings(
    resolved: &Resolved,
    prediction: &Prediction,
    options: &PredictOptions,
) -> Result<(Footing, Option<Footing>), BackupError> {
    let alone = alone(resolved, options)?;
    let backup = footing(
        &Loop::of_backup(resolved, alone.as_ref().map_or(&prediction.backup, |p| &p.backup)),
        resolved.backup.buffers.count,
    );
    let verify = prediction.verify.as_ref().zip(resolved.verification.as_ref());
    let verify = verify.map(|(verify, plan)| {
        let circuit = Loop::of_verify(resolved, verify, plan.transfer_size.as_f64());
        footing(&circuit, plan.buffer_count)
    });
    Ok((backup, verify))
}

/// Explains a scenario.
///
/// # Errors
/// [`BackupError`] if the scenario is too large to simulate.
pub fn explain(resolved: &Resolved, options: &PredictOptions) -> Result<Explanation, BackupError> {
    let kept = Kept::default();
    let prediction = kept.predict(resolved, options, Asked::Limits)?;
    let knees = knee::knees(resolved, &prediction, options, &kept)?;
    let (backup, verify) = footings(resolved, &prediction, options)?;
    let backup = operation(backup, knees.backup);
    let verify = verify.zip(knees.verify).map(|(footing, knee)| operation(footing, knee));
    Ok(Explanation { prediction, backup, verify })
}

/// The backup without other jobs; nothing if there are none.
fn alone(resolved: &Resolved, options: &PredictOptions) -> Result<Option<Prediction>, BackupError> {
    let Some(mut alone) = resolved.alone() else { return Ok(None) };
    alone.verification = None;
    durations(&alone, options).map(Some)
}

fn footing(circuit: &Loop, buffer_count: u32) -> Footing {
    Footing {
        cycles: circuit.cycles,
        buffer_count,
        demands: circuit.demands.clone(),
        bounds: circuit.bounds(buffer_count),
        theory: theory::solve(circuit, buffer_count),
    }
}

fn operation(footing: Footing, knee: Knee) -> OperationExplanation {
    let Footing { cycles, buffer_count, demands, bounds, theory } = footing;
    OperationExplanation { cycles, buffer_count, demands, bounds, theory, knee }
}
