// SPDX-License-Identifier: MIT OR Apache-2.0
// Numbers that follow from a prime, a constant or the shape of a multiplier, computed at elaboration.
package field_pkg;
  /* verilator lint_off UNUSEDPARAM */
  // The widest number below, a square of the widest prime with room to spare.
  localparam int WIDE = 1024;

  // Kinds of integer multipliers.
  localparam int BEHAVIOURAL = 0;  // one `*`, the model for simulation
  localparam int KARATSUBA = 1;  // two-way splits (CycloneMSM, Gypsophila)
  localparam int HYBRID = 2;  // a three-way split, then two-way splits (MSMAC)

  // Kinds of reduction of a product.
  localparam int MONTGOMERY = 0;
  localparam int BARRETT = 1;

  // Stages of a leaf, and the additional stages of a short product.
  localparam int LEAF_LATENCY = 3;
  localparam int SHORT_MORE = 3;

  // Most bits of a carry chain that multipliers have in a cycle. Longer chains are cut.
  localparam int CHAIN = 100;
  // Bits of a segment of a constant's product, whose segments are added in a cycle each.
  localparam int SEGMENT = 96;

  // Divsteps after which the inverse of an element of a field of `bits` bits is there (divstep_inverse).
  function automatic int divsteps(input int bits);
    divsteps = (45907 * bits + 26313) / 19929;
  endfunction

  // Stages of a two-way split of `width` bits: for the sums of its operands' halves, and for the sum of its products.
  function automatic int before_latency(input int width);
    before_latency = (width + 1) / 2 > CHAIN ? 2 : 1;
  endfunction
  function automatic int after_latency(input int width);
    after_latency = 2 * width - (width + 1) / 2 > CHAIN ? 2 : 1;
  endfunction

  // Stages of an integer multiplier with this number of nested splits, and with leaves of this number of stages.
  function automatic int mul_latency(input int kind, input int width, input int layers, input int leaf);
    int left, splits;
    mul_latency = leaf;
    left = width;
    splits = kind == BEHAVIOURAL ? 0 : layers;
    if (kind == HYBRID) begin
      // The three-way split: the sums of thirds, all products as two summands, the sum of these.
      mul_latency = mul_latency + 4;
      left = (width + 2) / 3 + 1;
      splits = splits - 1;
    end
    for (int i = 0; i < splits; i++) begin
      mul_latency = mul_latency + before_latency(left) + after_latency(left);
      left = (left + 1) / 2 + 1;
    end
  endfunction

  // -1 / p mod 2^bits, for odd p, by Newton's iteration; bits is at most 512.
  function automatic logic [WIDE-1:0] negative_inverse(input logic [WIDE-1:0] p, input int bits);
    negative_inverse = WIDE'(1);
    for (int i = 0; i < 9; i++) negative_inverse = negative_inverse * (WIDE'(2) - p * negative_inverse);
    negative_inverse = -negative_inverse & ((WIDE'(1) << bits) - 1'b1);
  endfunction

  // floor(2^bits / p), digit by digit.
  function automatic logic [WIDE-1:0] reciprocal(input logic [WIDE-1:0] p, input int bits);
    logic [WIDE-1:0] rest;
    rest = '0;
    reciprocal = '0;
    for (int i = bits; i >= 0; i--) begin
      rest = (rest << 1) | WIDE'(i == bits);
      reciprocal = reciprocal << 1;
      if (rest >= p) begin
        rest = rest - p;
        reciprocal = reciprocal | WIDE'(1);
      end
    end
  endfunction

  // x 2^bits mod p, for x below p: Montgomery's form of x.
  function automatic logic [WIDE-1:0] shifted(input logic [WIDE-1:0] x, input logic [WIDE-1:0] p, input int bits);
    shifted = x;
    for (int i = 0; i < bits; i++) begin
      shifted = shifted << 1;
      if (shifted >= p) shifted = shifted - p;
    end
  endfunction

  // x in the form that blocks with this reduction use: Montgomery form, or x itself.
  function automatic logic [WIDE-1:0] in_form(
      input logic [WIDE-1:0] x, input logic [WIDE-1:0] p, input int bits, input int reduction);
    in_form = reduction == MONTGOMERY ? shifted(x, p, bits) : x;
  endfunction

`ifndef SYNTHESIS
  // The low bits of a b. The time of a simulator's own `*` grows with the cube of the number of words of such wide
  // operands.
  task automatic multiply(output logic [WIDE-1:0] product, input logic [WIDE-1:0] a, input logic [WIDE-1:0] b);
    /* verilator no_inline_task */
    logic [31:0] x[WIDE/32], y[WIDE/32], z[WIDE/32];
    logic [63:0] sum;
    for (int i = 0; i < WIDE / 32; i++) begin
      x[i] = a[32*i+:32];
      y[i] = b[32*i+:32];
      z[i] = '0;
    end
    for (int i = 0; i < WIDE / 32; i++) begin
      sum = '0;
      if (x[i] != 0) begin
        for (int j = 0; i + j < WIDE / 32; j++) begin
          sum = 64'(x[i]) * 64'(y[j]) + 64'(z[i+j]) + (sum >> 32);
          z[i+j] = sum[31:0];
        end
      end
    end
    for (int i = 0; i < WIDE / 32; i++) product[32*i+:32] = z[i];
  endtask

  // a b mod p and a b / 2^word mod p, as barrett_mul and montgomery_mul compute them.
  task automatic barrett(
      output logic [WIDE-1:0] product, input logic [WIDE-1:0] a, input logic [WIDE-1:0] b, input logic [WIDE-1:0] p,
      input logic [WIDE-1:0] factor, input int width);
    /* verilator no_inline_task */
    logic [WIDE-1:0] t, quotient, multiple;
    multiply(t, a, b);
    multiply(quotient, t >> (width - 2), factor);
    multiply(multiple, quotient >> (width + 5), p);
    t = t - multiple;
    product = t < p ? t : t - p;
  endtask
  task automatic montgomery(
      output logic [WIDE-1:0] product, input logic [WIDE-1:0] a, input logic [WIDE-1:0] b, input logic [WIDE-1:0] p,
      input logic [WIDE-1:0] inverse, input int word);
    /* verilator no_inline_task */
    logic [WIDE-1:0] t, m, multiple, mask;
    mask = (WIDE'(1) << word) - 1'b1;
    multiply(t, a, b);
    multiply(m, t & mask, inverse);
    multiply(multiple, m & mask, p);
    t = (t + multiple) >> word;
    product = t < p ? t : t - p;
  endtask
`endif

  // The digits 1, and the digits -1, of the non-adjacent form of c: c = plus - minus.
  function automatic logic [WIDE-1:0] naf_plus(input logic [WIDE-1:0] c);
    naf_plus = ((c + (c << 1)) & ~c) >> 1;
  endfunction
  function automatic logic [WIDE-1:0] naf_minus(input logic [WIDE-1:0] c);
    naf_minus = (c & ~(c + (c << 1))) >> 1;
  endfunction

  // Number of ones of c below a position.
  function automatic int ones_below(input logic [WIDE-1:0] c, input int position);
    ones_below = 0;
    for (int i = 0; i < position; i++) if (c[i]) ones_below = ones_below + 1;
  endfunction

  // The positions of c's ones, PLACE bits each, the lowest position first. A non-adjacent form has ones in at most half
  // of all bits. One call returns all positions, because tools take long for each call.
  localparam int PLACE = 10;
  function automatic logic [WIDE/2*PLACE-1:0] ones(input logic [WIDE-1:0] c);
    int found;
    ones = '0;
    found = 0;
    for (int i = 0; i < WIDE; i++) begin
      if (c[i]) begin
        ones[found*PLACE+:PLACE] = PLACE'(i);
        found = found + 1;
      end
    end
  endfunction

  // Levels of three-operand adders that sum this many terms.
  function automatic int tree_latency(input int terms);
    int left;
    tree_latency = 0;
    left = terms;
    while (left > 1) begin
      left = (left + 2) / 3;
      tree_latency = tree_latency + 1;
    end
  endfunction

  // Terms of the larger of the two trees of a constant multiplier.
  function automatic int naf_terms(input logic [WIDE-1:0] c, input int bits);
    int minus;
    naf_terms = ones_below(naf_plus(c), bits);
    minus = ones_below(naf_minus(c), bits);
    if (minus > naf_terms) naf_terms = minus;
  endfunction

  // Stages of a multiplier by the constant c, of which the lowest bits are needed: a tree and a subtraction, and a
  // cycle for each segment after the first.
  function automatic int const_mul_latency(input logic [WIDE-1:0] c, input int bits);
    const_mul_latency = tree_latency(naf_terms(c, bits)) + (bits + SEGMENT - 1) / SEGMENT;
  endfunction
endpackage
