//! Tables of measured multi-scalar multiplications.

use super::models::simulate;
use super::numbers::{digits, log_size, percent};
use super::session::Session;
use super::table::Table;
use crate::args::MsmArgs;
use crate::cell::Group;
use crate::measure::measure;
use crate::peers::{Competitor, PeerKind};
use crate::results::CellResult;
use anyhow::{Context, Result};
use bucketwheel::{AdderKind, Backend, SchedulerKind, default_backend};
use bucketwheel_hardware::Design;

/// Largest size for blst over both groups. Over twice the points, a sum of blst takes more than five minutes.
const LARGEST_PAIR_OF_BLST: u32 = 22;

/// Smallest size at which each competitor has the memory alone: 2^25 points of G1 take 3 GB in each form.
const SMALLEST_ALONE: u32 = 25;

/// Number of processors of the machine in the papers' columns of many threads.
const MANY: usize = 16;

/// Measures competitors in the cells of `bench msm OPTIONS`.
fn cells(session: &Session, options: &str, competitors: &[Competitor]) -> Result<Vec<CellResult>> {
    let args = MsmArgs::of(&format!("{options} --seconds {}", session.seconds))?;
    let results = measure(&args, competitors, &|_| Ok(()))?;
    results.iter().for_each(|result| session.clock(result.ghz));
    Ok(results)
}

/// Measures the only cell of `bench msm OPTIONS`.
fn cell(session: &Session, options: &str, competitors: &[Competitor]) -> Result<CellResult> {
    cells(session, options, competitors)?.pop().context("no cell")
}

/// Returns the median in milliseconds.
fn median(result: &CellResult, competitor: Competitor) -> Result<f64> {
    let timing = result.timing(competitor).with_context(|| format!("no time of {competitor}"))?;
    Ok(timing.milliseconds.median)
}

fn many_processors() -> bool {
    std::thread::available_parallelism().is_ok_and(|processors| processors.get() >= MANY)
}

/// SimdMSM, Table 4: sums over G1 of BLS12-381.
pub fn simdmsm_table_4(session: &Session, table: &mut Table) -> Result<()> {
    simdmsm(session, table, Group::G1)
}

/// SimdMSM, Table 5: the same scalars over G1 and G2.
pub fn simdmsm_table_5(session: &Session, table: &mut Table) -> Result<()> {
    simdmsm(session, table, Group::Pair)
}

fn simdmsm(session: &Session, table: &mut Table, group: Group) -> Result<()> {
    let ours = Competitor::Ours(default_backend()?);
    let blst = Competitor::Peer(PeerKind::Blst);
    for row in session.wanted(table.rows()) {
        let log_size = log_size(&row)?;
        let options = format!("--curves bls12-381 --groups {group} --log-sizes {log_size}");
        let is_short = group != Group::Pair || log_size <= LARGEST_PAIR_OF_BLST;
        let competitors = if is_short { vec![ours, blst] } else { vec![ours] };
        let result = cell(session, &options, &competitors)?;
        let seconds = median(&result, ours)? / 1e3;
        table.set(&row, "bucketwheel", digits(seconds))?;
        let paper = table.number(&row, "AVX-MSM")?.context("no time of the paper")?;
        table.set(&row, "AVX-MSM / bucketwheel", format!("{:.1}", paper / seconds))?;
        if result.timing(blst).is_some() {
            let ratio = median(&result, blst)? / 1e3 / seconds;
            table.set(&row, "here: blst / bucketwheel", format!("{ratio:.2}"))?;
        }
        let theirs = session.authors.as_ref().map(|authors| authors.sums(group == Group::Pair, log_size));
        if let Some(theirs) = theirs.transpose()?.flatten() {
            table.set(&row, "here: RELIC / bucketwheel", format!("{:.1}", theirs.relic / seconds))?;
            table.set(&row, "here: AVX-MSM / bucketwheel", format!("{:.1}", theirs.avx_msm / seconds))?;
        }
        if many_processors() {
            let result = cell(session, &format!("{options} --threads {MANY}"), &[ours])?;
            table.set(&row, "bucketwheel, 16 cores", digits(median(&result, ours)? / 1e3))?;
        }
    }
    Ok(())
}

/// CycloneMSM, Table 4: the saving of batched affine additions with the delayed scheduler, and gnark-crypto's sums.
pub fn cyclone_table_4(session: &Session, table: &mut Table) -> Result<()> {
    let backend = default_backend()?;
    let [xyzz, affine] = [AdderKind::Xyzz, AdderKind::Affine]
        .map(|adder| Competitor::Strategy(backend, SchedulerKind::Delayed, adder));
    let competitors = [Competitor::Peer(PeerKind::GnarkCrypto), xyzz, affine, Competitor::Ours(backend)];
    for row in session.wanted(table.rows()) {
        let log_size = log_size(&row)?;
        let options = format!("--curves bls12-377 --groups g1 --log-sizes {log_size}");
        let turns = if log_size < SMALLEST_ALONE { competitors.len() } else { 1 };
        let mut times = Vec::new();
        for turn in competitors.chunks(turns) {
            let result = cell(session, &options, turn)?;
            for &competitor in turn {
                times.push(median(&result, competitor)?);
            }
        }
        let [gnark, xyzz, affine, auto] = times[..] else { unreachable!("a time for each competitor") };
        table.set(&row, "gnark-crypto, ms", digits(gnark))?;
        table.set(&row, "`delayed`, `xyzz`, ms", digits(xyzz))?;
        table.set(&row, "`delayed`, `affine`, ms", digits(affine))?;
        table.set(&row, "saved", percent(1.0 - affine / xyzz, 0))?;
        table.set(&row, "`auto`, ms", digits(auto))?;
        table.set(&row, "gnark-crypto / `auto`", format!("{:.1}", gnark / auto))?;
    }
    Ok(())
}

/// MSMAC, Table 3, the columns of the CPU: Halo2's sums over BN254, and ours, beside the model's time of one card.
pub fn msmac_table_3_cpu(session: &Session, table: &mut Table) -> Result<()> {
    let ours = Competitor::Ours(default_backend()?);
    let halo2 = Competitor::Peer(PeerKind::Halo2curves);
    for row in session.wanted(table.rows()) {
        let log_size = log_size(&row)?;
        let options = format!("--curves bn254 --groups g1 --log-sizes {log_size} --threads 1");
        let result = cell(session, &options, &[ours, halo2])?;
        let [ours, halo2] = [median(&result, ours)? / 1e3, median(&result, halo2)? / 1e3];
        let card = simulate(Design::Msmac, log_size, &[])?.ms / 1e3;
        table.set(&row, "here: halo2curves, s", digits(halo2))?;
        table.set(&row, "here: bucketwheel, s", digits(ours))?;
        table.set(&row, "halo2curves / bucketwheel", format!("{:.1}", halo2 / ours))?;
        table.set(&row, "halo2curves / 1 card", format!("{:.0}", halo2 / card))?;
        table.set(&row, "bucketwheel / 1 card", format!("{:.1}", ours / card))?;
    }
    Ok(())
}

/// EdMSM, Figure 3: arkworks, and adders at several sizes, without lanes.
pub fn edmsm_figure_3(session: &Session, table: &mut Table) -> Result<()> {
    let [xyzz, edwards, affine] = [AdderKind::Xyzz, AdderKind::Edwards, AdderKind::Affine]
        .map(|adder| Competitor::Strategy(Backend::Portable, SchedulerKind::Tree, adder));
    let competitors = [Competitor::Peer(PeerKind::Arkworks), xyzz, edwards, affine];
    for column in session.wanted(table.columns()) {
        let options = format!("--curves bls12-377 --groups g1 --log-sizes {}", log_size(&column)?);
        let result = cell(session, &options, &competitors)?;
        let mut times = competitors.map(|competitor| median(&result, competitor)).into_iter();
        let mut next = || times.next().context("a time for each competitor")?;
        let [arkworks, xyzz, edwards, affine] = [next()?, next()?, next()?, next()?];
        for (row, ms) in
            [("arkworks", arkworks), ("`xyzz`", xyzz), ("`edwards`", edwards), ("`affine`", affine)]
        {
            table.set(row, &column, digits(ms))?;
        }
        table.set("`xyzz` / `edwards`", &column, format!("{:.2}", xyzz / edwards))?;
        for (row, ms) in [("`xyzz` saves", xyzz), ("`edwards` saves", edwards), ("`affine` saves", affine)] {
            table.set(row, &column, percent(1.0 - ms / arkworks, 0))?;
        }
    }
    Ok(())
}

/// Adders on backends, 2^16 points; an example of a row's name is "avx2, `tree`".
pub fn edmsm_backends(session: &Session, table: &mut Table) -> Result<()> {
    use AdderKind::{Affine, Edwards, EdwardsUnified, Xyzz};
    const LOG_SIZE: u32 = 16;
    if !session.wants(LOG_SIZE) {
        return Ok(());
    }
    for row in table.rows() {
        let (backend, scheduler) =
            row.split_once(", ").with_context(|| format!("no backend's row: {row}"))?;
        let (backend, scheduler): (Backend, SchedulerKind) =
            (backend.parse()?, scheduler.trim_matches('`').parse()?);
        if !backend.is_supported() {
            continue;
        }
        let strategy = |adder| Competitor::Strategy(backend, scheduler, adder);
        let adders = [Affine, Xyzz, Edwards, EdwardsUnified];
        let options = format!("--curves bls12-377 --groups g1 --log-sizes {LOG_SIZE}");
        let result = cell(session, &options, &adders.map(strategy))?;
        for adder in adders {
            table.set(&row, &format!("`{adder}`"), format!("{:.1}", median(&result, strategy(adder))?))?;
        }
        let ratio =
            |a, b| Ok::<_, anyhow::Error>(median(&result, strategy(a))? / median(&result, strategy(b))?);
        table.set(&row, "`xyzz` / `edwards`", format!("{:.2}", ratio(Xyzz, Edwards)?))?;
        table.set(&row, "`edwards` / `affine`", format!("{:.2}", ratio(Edwards, Affine)?))?;
    }
    Ok(())
}

/// EdMSM's open question: G1, G2, and both at once.
pub fn edmsm_pair(session: &Session, table: &mut Table) -> Result<()> {
    let ours = Competitor::Ours(default_backend()?);
    for column in session.wanted(table.columns()) {
        let log_size = log_size(&column)?;
        let time = |group: Group| -> Result<f64> {
            let options = format!("--curves bls12-381 --groups {group} --log-sizes {log_size}");
            median(&cell(session, &options, &[ours])?, ours)
        };
        let [g1, g2, pair] = [time(Group::G1)?, time(Group::G2)?, time(Group::Pair)?];
        for (row, ms) in [("G1", g1), ("G2", g2), ("pair", pair)] {
            table.set(row, &column, digits(ms))?;
        }
        table.set("pair / (G1 + G2)", &column, format!("{:.2}", pair / (g1 + g2)))?;
    }
    Ok(())
}

/// Schedulers with adders, BLS12-381 G1; the rows are named, for example, "`tree`, `affine`", and `auto`. For 2^20
/// points or more, rows without a time in the document stay without a time.
pub fn strategies(session: &Session, table: &mut Table) -> Result<()> {
    const LARGE: u32 = 20;
    let backend = default_backend()?;
    let competitor = |row: &str| -> Result<Competitor> {
        let Some((scheduler, adder)) = row.split_once(", ") else {
            return Ok(Competitor::Ours(backend));
        };
        let name = |text: &str| text.trim_matches('`').to_owned();
        Ok(Competitor::Strategy(backend, name(scheduler).parse()?, name(adder).parse()?))
    };
    for column in session.wanted(table.columns()) {
        let log_size = log_size(&column)?;
        let mut rows = Vec::new();
        for row in table.rows() {
            if log_size < LARGE || !table.get(&row, &column)?.is_empty() {
                rows.push((competitor(&row)?, row));
            }
        }
        let threads = if column.ends_with("two threads") { 2 } else { 1 };
        let options = format!("--curves bls12-381 --groups g1 --log-sizes {log_size} --threads {threads}");
        let competitors: Vec<_> = rows.iter().map(|(competitor, _)| *competitor).collect();
        let result = cell(session, &options, &competitors)?;
        for (competitor, row) in rows {
            table.set(&row, &column, digits(median(&result, competitor)?))?;
        }
    }
    Ok(())
}
