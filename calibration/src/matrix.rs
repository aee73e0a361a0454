//! Symmetric positive definite matrices of a few rows.

/// A square matrix, row by row.
pub(crate) type Matrix = Vec<Vec<f64>>;

/// The lower triangle L with L L' = A (Cholesky), for which the lower triangle of A is enough;
/// nothing if A is not positive definite.
pub(crate) fn cholesky(a: &Matrix) -> Option<Matrix> {
    let n = a.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
            if i == j {
                let square = a[i][i] - dot;
                if square.is_nan() || square <= 0.0 {
                    return None;
                }
                l[i][i] = libm::sqrt(square);
            } else {
                l[i][j] = (a[i][j] - dot) / l[j][j];
            }
        }
    }
    Some(l)
}

/// Solves L x = b.
pub(crate) fn forward(l: &Matrix, b: &[f64]) -> Vec<f64> {
    let mut x = vec![0.0; b.len()];
    for i in 0..b.len() {
        let dot: f64 = (0..i).map(|k| l[i][k] * x[k]).sum();
        x[i] = (b[i] - dot) / l[i][i];
    }
    x
}

/// Solves L' x = b.
pub(crate) fn backward(l: &Matrix, b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let dot: f64 = (i + 1..n).map(|k| l[k][i] * x[k]).sum();
        x[i] = (b[i] - dot) / l[i][i];
    }
    x
}

/// The inverse of L L'.
pub(crate) fn inverse(l: &Matrix) -> Matrix {
    let n = l.len();
    let unit = |i: usize| (0..n).map(|k| if k == i { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
    // Columns of L^-1; the inverse is its transpose times itself.
    let columns: Vec<Vec<f64>> = (0..n).map(|i| forward(l, &unit(i))).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    (0..n).map(|i| (0..n).map(|j| dot(&columns[i], &columns[j])).collect()).collect()
}

/// L z.
pub(crate) fn times(l: &Matrix, z: &[f64]) -> Vec<f64> {
    l.iter().map(|row| row.iter().zip(z).map(|(a, b)| a * b).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_the_unit() {
        let a = vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, -0.2], vec![0.5, -0.2, 2.0]];
        let l = cholesky(&a).expect("positive definite");
        let inverse = inverse(&l);
        let product = |i: usize, j: usize| -> f64 {
            a[i].iter().zip(&inverse).map(|(a, row)| a * row[j]).sum()
        };
        for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
            let unit = if i == j { 1.0 } else { 0.0 };
            assert!((product(i, j) - unit).abs() < 1e-12, "{i} {j}: {}", product(i, j));
        }
        let b = times(&l, &[1.0, -2.0, 0.5]);
        let x = forward(&l, &b);
        assert!((x[0] - 1.0).abs() < 1e-12 && (x[2] - 0.5).abs() < 1e-12);
        let y = backward(&l, &forward(&l, &[1.0, 2.0, 3.0]));
        let z: Vec<f64> = inverse.iter().map(|row| row[0] + 2.0 * row[1] + 3.0 * row[2]).collect();
        assert!(y.iter().zip(&z).all(|(y, z)| (y - z).abs() < 1e-12), "{y:?} {z:?}");
        assert_eq!(cholesky(&vec![vec![1.0, 2.0], vec![2.0, 1.0]]), None);
    }
}
