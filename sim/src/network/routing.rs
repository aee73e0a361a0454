//! Where jobs go next, and how often they come by.

use super::NetworkError;
use crate::stream::Stream;

/// How much the probabilities of a row may miss 1 by.
const ROW_TOLERANCE: f64 = 1e-9;
/// A pivot below this means that the traffic equations have no single solution.
const PIVOT_MIN: f64 = 1e-12;

/// Where a job goes when it leaves a station.
#[derive(Clone, Debug, PartialEq)]
pub enum Routing {
    /// From each station to the next and from the last to the first.
    Cycle,
    /// From station i to station j with the probability in row i, column j.
    Probabilities(Vec<Vec<f64>>),
}

impl Routing {
    /// The next station after `from`.
    pub(super) fn next(&self, from: usize, stations: usize, stream: &mut Stream) -> usize {
        match self {
            Routing::Cycle => (from + 1) % stations,
            Routing::Probabilities(rows) => {
                let mut left = stream.uniform();
                let row = &rows[from];
                for (to, &probability) in row.iter().enumerate() {
                    left -= probability;
                    if left < 0.0 {
                        return to;
                    }
                }
                // The row may miss 1 by a rounding error: the last possible station takes it.
                row.iter().rposition(|&probability| probability > 0.0).unwrap_or(from)
            }
        }
    }

    /// Visits to each station for one to the last, from the traffic equations
    /// v(j) = sum over i of v(i) p(i, j).
    pub(super) fn visits(&self, stations: usize) -> Result<Vec<f64>, NetworkError> {
        match self {
            Routing::Cycle => Ok(vec![1.0; stations]),
            Routing::Probabilities(rows) => {
                check_rows(rows, stations)?;
                let visits = solve(equations(rows)).ok_or(NetworkError::NotConnected)?;
                let all_visited = visits.iter().all(|&visits| visits > PIVOT_MIN);
                if all_visited { Ok(visits) } else { Err(NetworkError::NotConnected) }
            }
        }
    }
}

fn check_rows(rows: &[Vec<f64>], stations: usize) -> Result<(), NetworkError> {
    let is_distribution = |row: &Vec<f64>| {
        row.len() == stations
            && row.iter().all(|&p| p >= 0.0)
            && (row.iter().sum::<f64>() - 1.0).abs() <= ROW_TOLERANCE
    };
    // A missing row is reported as the first one that is not there.
    let bad = rows.iter().position(|row| !is_distribution(row));
    match bad.or((rows.len() != stations).then_some(rows.len().min(stations))) {
        Some(row) => Err(NetworkError::InvalidRow { row, stations }),
        None => Ok(()),
    }
}

/// One row per station: the coefficients of v(0) to v(n-1) and the right-hand side. The last
/// equation, which the others imply, is replaced by v(n-1) = 1.
fn equations(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let stations = rows.len();
    let equation = |to: usize| -> Vec<f64> {
        let mut equation: Vec<f64> = (0..stations).map(|from| -rows[from][to]).collect();
        equation[to] += 1.0;
        equation.push(0.0);
        equation
    };
    let mut equations: Vec<Vec<f64>> = (0..stations).map(equation).collect();
    let mut last = vec![0.0; stations + 1];
    last[stations - 1] = 1.0;
    last[stations] = 1.0;
    equations[stations - 1] = last;
    equations
}

/// Gauss-Jordan elimination with partial pivoting.
fn solve(mut equations: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let unknowns = equations.len();
    for column in 0..unknowns {
        let size = |row: &usize| equations[*row][column].abs();
        let pivot = (column..unknowns).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        if size(&pivot) < PIVOT_MIN {
            return None;
        }
        equations.swap(column, pivot);
        let pivot_row = equations[column].clone();
        for (row, equation) in equations.iter_mut().enumerate() {
            if row != column {
                let factor = equation[column] / pivot_row[column];
                for (value, pivot_value) in equation.iter_mut().zip(&pivot_row) {
                    *value -= factor * pivot_value;
                }
            }
        }
    }
    Some((0..unknowns).map(|row| equations[row][unknowns] / equations[row][row]).collect())
}
