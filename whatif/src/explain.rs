//! Where the time goes: demands, bounds, what queueing theory says, and the knee in buffers.

mod demand;
mod knee;
mod theory;

pub use demand::{Bounds, Demand};
pub use knee::{Knee, KneePoint};
pub use theory::Theory;

use bakcast_models::pipeline::BackupError;
use bakcast_scenarios::Resolved;
use bakcast_scenarios::predict::{PredictOptions, Prediction, predict};

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
    /// What each station is asked for, in the order of the prediction's stations.
    pub demands: Vec<Demand>,
    /// What no run can beat.
    pub bounds: Bounds,
    /// The same pipeline as a closed network with exponential service, solved exactly.
    pub theory: Option<Theory>,
    /// How the duration depends on the number of buffers.
    pub knee: Knee,
}

/// Explains a scenario.
///
/// # Errors
/// [`BackupError`] if the scenario is too large to simulate.
pub fn explain(resolved: &Resolved, options: &PredictOptions) -> Result<Explanation, BackupError> {
    let prediction = predict(resolved, options)?;
    let knees = knee::knees(resolved, options)?;
    let backup = operation(
        &Loop::of_backup(resolved, &prediction.backup),
        resolved.backup.buffers.count,
        knees.backup,
    );
    let verify = match (&prediction.verify, &resolved.verification, knees.verify) {
        (Some(verify), Some(plan), Some(knee)) => {
            let circuit = Loop::of_verify(resolved, verify, plan.transfer_size.as_f64());
            Some(operation(&circuit, plan.buffer_count, knee))
        }
        _ => None,
    };
    Ok(Explanation { prediction, backup, verify })
}

fn operation(circuit: &Loop, buffer_count: u32, knee: Knee) -> OperationExplanation {
    OperationExplanation {
        cycles: circuit.cycles,
        buffer_count,
        demands: circuit.demands.clone(),
        bounds: circuit.bounds(buffer_count),
        theory: theory::solve(circuit, buffer_count),
        knee,
    }
}
