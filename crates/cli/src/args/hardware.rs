//! The arguments of `simulate` and `msmac`.

use std::path::PathBuf;
use std::str::FromStr;

use bucketwheel::CurveId;
use bucketwheel_hardware::Design;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{value_parser, Subcommand, ValueEnum};

use super::shared::{curve, described, picture, InputsArgs, ThreadsArgs, MAX_LOG_STREAMED};
use super::shell::example;

/// Arguments of `simulate`.
#[derive(Debug, clap::Args)]
pub struct SimulateArgs {
    /// The accelerator
    #[arg(value_parser = design())]
    pub design: Design,
    /// The accelerator's model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// Simulate an MSM of 2^N points, in parts if the accelerator holds fewer
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(0..=i64::from(MAX_LOG_STREAMED)))]
    pub log_size: u32,
    /// Number of cards (msmac)
    #[arg(long, value_name = "N")]
    pub cards: Option<u32>,
    /// Number of processing elements, per card if there are cards (msmac, gypsophila)
    #[arg(long, value_name = "N")]
    pub pes: Option<u32>,
    /// Bits of a window
    #[arg(long, value_name = "BITS")]
    pub window: Option<u32>,
    /// The clock in MHz
    #[arg(long, value_name = "MHZ")]
    pub clock: Option<f64>,
    /// The curve [default: the design's]
    #[arg(long, value_parser = curve())]
    pub curve: Option<CurveId>,
    /// Number of MSMs over the same points, each with its own scalars [default: the number that run at a time]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=1 << 16))]
    pub tasks: Option<u64>,
    /// Set any other parameter by name, for example --set latency=120; --json shows all. With --model rtl, parameters choose
    /// one of the compiled machines; an error lists the machines
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<Setting>,
    /// Seed and distribution.
    #[command(flatten)]
    pub inputs: InputsArgs,
    /// Also compute the sums, by the design's own additions, and compare them with the engine's
    #[arg(long)]
    pub verify: bool,
    /// The threads.
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// Print JSON: one object
    #[arg(long)]
    pub json: bool,
    /// Also write a picture of the phases, beside the paper's time, as SVG, PNG or PDF by its ending
    #[arg(long, value_name = "FILE", value_parser = picture())]
    pub plot: Option<PathBuf>,
    /// Write the waveforms of a traced machine as VCD (--model rtl)
    #[arg(long, value_name = "FILE")]
    pub vcd: Option<PathBuf>,
    /// Write the waveforms of the first N cycles; a cycle takes some kB, on cyclone 60 kB
    #[arg(long, value_name = "N", default_value_t = 2000, requires = "vcd", value_parser = value_parser!(u64).range(1..))]
    pub vcd_cycles: u64,
}

/// Models of an accelerator and of its multipliers.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ModelArgs {
    /// Model of the accelerator
    #[arg(long, default_value = "cycle")]
    pub model: ModelArg,
    /// Model of the multipliers (--model rtl) [default: behavioural, if the parameters leave the choice]
    #[arg(long, value_name = "HOW")]
    pub multipliers: Option<MultipliersArg>,
}

/// Model of the multipliers in simulated RTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MultipliersArg {
    /// A function of integers with the same number of stages
    Behavioural,
    /// The multipliers as they are built: takes about 5 times as long for 254 bits, and 50 times or more for 377 bits
    Rtl,
}

impl SimulateArgs {
    /// Returns the model's parameters that differ from its defaults.
    pub fn settings(&self) -> Vec<(String, String)> {
        let named = [
            ("curve", self.curve.map(|curve| curve.name().to_owned())),
            ("cards", self.cards.map(|cards| cards.to_string())),
            ("pes", self.pes.map(|pes| pes.to_string())),
            ("window", self.window.map(|window| window.to_string())),
            ("clock_mhz", self.clock.map(|clock| clock.to_string())),
        ];
        named_settings(named).chain(self.set.iter().map(Setting::pair)).collect()
    }
}

/// The device that computes an MSM.
#[derive(Clone, Debug, clap::Args)]
pub struct DeviceArgs {
    /// Compute on this device: the engine, or a simulated accelerator, which takes long
    #[arg(long, default_value = CPU, value_parser = device())]
    device: Device,
    /// The accelerator's model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// Number of cards (--device msmac)
    #[arg(long, value_name = "N")]
    cards: Option<u32>,
    /// Number of processing elements, per card if there are cards (--device msmac, gypsophila)
    #[arg(long, value_name = "N")]
    pes: Option<u32>,
}

/// The engine, or an accelerator.
#[derive(Clone, Copy, Debug)]
struct Device(Option<Design>);

/// Name of the engine among the devices.
const CPU: &str = "cpu";

/// A parser of accelerators, which the help describes.
fn design() -> impl TypedValueParser<Value = Design> {
    described(Design::ALL, Design::name, Design::about)
}

/// A parser of devices, which the help describes.
fn device() -> impl TypedValueParser<Value = Device> {
    let named = |design: &Design| PossibleValue::new(design.name()).help(design.about());
    let cpu = PossibleValue::new(CPU).help("The engine");
    PossibleValuesParser::new([cpu].into_iter().chain(Design::ALL.iter().map(named)))
        .map(|name| Device(Design::ALL.iter().copied().find(|design| design.name() == name)))
}

/// Model of an accelerator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelArg {
    /// The schedule, cycle by cycle: a second for 2^20 points, minutes if points are added too
    Cycle,
    /// The SystemVerilog in Verilator: ten seconds for 2^12 points, a minute or two for 2^16; needs a build with the feature rtl
    Rtl,
}

impl DeviceArgs {
    /// Returns the accelerator, if the device is one.
    pub fn design(&self) -> Option<Design> {
        self.device.0
    }

    /// Returns the accelerator's parameters that differ from its defaults.
    pub fn settings(&self, curve: CurveId, window: Option<u32>) -> Vec<(String, String)> {
        let [cards, pes, window] = [self.cards, self.pes, window].map(|number| number.map(|n| n.to_string()));
        let curve = Some(curve.name().to_owned());
        named_settings([("curve", curve), ("cards", cards), ("pes", pes), ("window", window)]).collect()
    }
}

/// Returns the settings that have a value.
fn named_settings<const N: usize>(
    settings: [(&'static str, Option<String>); N],
) -> impl Iterator<Item = (String, String)> {
    settings.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)))
}

/// A name and a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting(String, String);

impl Setting {
    /// Returns the name and the value.
    pub fn pair(&self) -> (String, String) {
        (self.0.clone(), self.1.clone())
    }
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, value)) => Ok(Setting(name.to_owned(), value.to_owned())),
            None => Err("expected NAME=VALUE, as in latency=120".to_owned()),
        }
    }
}

/// Commands on MSMAC's programs.
#[derive(Debug, Subcommand)]
pub enum MsmacCommand {
    /// Assemble a text
    #[command(after_help = example(&["msmac asm program.txt --out program.bin"]))]
    Asm {
        /// The text
        text: PathBuf,
        /// The program to write, 16 bytes for each instruction
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Print the text of a program
    #[command(after_help = example(&["msmac disasm program.bin"]))]
    Disasm {
        /// The program
        program: PathBuf,
    },
    /// Print the text of Pippenger's algorithm
    #[command(after_help = example(&["msmac program --window 13"]))]
    Program {
        /// Bits of a window
        #[arg(long, value_name = "BITS", default_value_t = 13)]
        window: u32,
        /// Set any other parameter of `simulate msmac`, for example --set latency=120
        #[arg(long, value_name = "NAME=VALUE")]
        set: Vec<Setting>,
    },
}
