// SPDX-License-Identifier: MIT OR Apache-2.0
// msmac_port with any bus that keeps to AXI4-Lite, any element and any network, for packets of a program, and a share with up to three points.
// The registers of a packet are written in their order, once each, with the packet's words; the next packet of registers waits for them
// and for an idle element. Each point leaves once with its scalar, and `last` is with the share's last point. A sum goes to the network with
// its number, or, if the share has no more sums, nowhere, which is reported. (ping_pong and stream_fork are proved apart.)
module formal_msmac_port (
    input logic                    clk_i,
    input logic                    rst_i,
    input logic                    packet_valid_i,
    input logic [             1:0] kind_i,
    input logic [             7:0] seed_i,
    input logic                    idle_i,
    input logic                    awready_i,
    input logic                    wready_i,
    input logic                    bvalid_i,
    input logic                    point_ready_i,
    input logic                    scalar_ready_i,
    input logic                    sum_valid_i,
    input logic [             1:0] sum_i,
    input logic                    result_ready_i
);
  initial assume (rst_i);
  logic packet_ready, point_valid, scalar_valid, last, sum_ready, result_valid, surplus;
  logic [511:0] point;
  logic [255:0] scalar;
  msmac_card_pkg::result_t result;
  axi_lite_pkg::request_t request;
  axi_lite_pkg::response_t response;
  assign response = {awready_i, wready_i, bvalid_i, 2'b00, 1'b0, 1'b0, 32'd0, 2'b00};
  msmac_port #(.BLOCK(2)) u_dut (
      .clk_i, .rst_i, .packet_valid_i, .packet_ready_o(packet_ready), .packet_i(packet), .idle_i, .request_o(request),
      .response_i(response), .point_valid_o(point_valid), .point_ready_i, .point_o(point), .scalar_valid_o(scalar_valid),
      .scalar_ready_i, .scalar_o(scalar), .last_o(last), .sum_valid_i, .sum_ready_o(sum_ready), .sum_i(768'(sum_i)),
      .result_valid_o(result_valid), .result_ready_i, .result_o(result), .surplus_o(surplus)
  );

  // The packet of registers, of its words the number that is written, and which of address and data the bus has taken.
  logic live, takes, waited, of_share, started, address_taken, data_taken, missed;
  logic [7:0] seed;
  logic [4:0] written, words;
  logic [16:0] address;
  logic [31:0] word;
  // Points that came, that left and whose scalars left; sums that came.
  logic [2:0] came, points_left, scalars_left;
  logic [15:0] counted;
  msmac_card_pkg::packet_t packet;
  logic [1:0] waited_kind, first, sums, length, size;
  logic [7:0] waited_seed;
  // The numbers of the share, which a further program leaves.
  logic [7:0] numbers;
  assign {first, sums, length, size} = numbers;
  assign takes = packet_valid_i && packet_ready;
  // Words of a program that differ, shares of small numbers, points that are their numbers.
  always @* begin
    packet = {kind_i, 768'd0};
    case (kind_i)
      msmac_card_pkg::PROGRAM: begin
        for (int i = 0; i < 16; i++) packet.content[32*i+:32] = {seed_i[3:0], 24'd0, 4'(i)};
        packet.content[521:512] = {seed_i[7:6], 6'd0, seed_i[5:4]};
      end
      msmac_card_pkg::SHARE: packet.content[80:0] = {18'd0, seed_i[7:6], 14'd0, seed_i[5:4], 11'd0, seed_i[3:2], 30'd0, seed_i[1:0]};
      default: packet.content = {256'(came), 512'(came)};
    endcase
  end
  always @* begin
    address = {1'b1, seed[7:6], 6'd0, seed[5:4], written[3:0], 2'b00};
    word = {seed[3:0], 24'd0, written[3:0]};
    if (of_share) begin
      address = written == 0 ? 17'h8 : written == 1 ? 17'hc : 17'h0;
      word = written == 0 ? 32'(size) : written == 1 ? 32'(length) : 32'd1;
    end
  end
  initial live = 1'b0;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    waited <= packet_valid_i && !packet_ready && !rst_i;
    {waited_kind, waited_seed} <= {kind_i, seed_i};
    address_taken <= address_taken || (request.awvalid && awready_i);
    data_taken <= data_taken || (request.wvalid && wready_i);
    if (bvalid_i && request.bready) begin
      {address_taken, data_taken} <= '0;
      written <= written + 1'b1;
    end
    if (takes && packet.kind != msmac_card_pkg::POINT) begin
      seed <= seed_i;
      of_share <= packet.kind == msmac_card_pkg::SHARE;
      written <= '0;
      words <= packet.kind == msmac_card_pkg::SHARE ? 5'd3 : 5'd16;
      if (packet.kind == msmac_card_pkg::SHARE) begin
        started <= 1'b1;
        numbers <= seed_i;
        counted <= '0;
      end
    end
    came <= came + 3'(takes && packet.kind == msmac_card_pkg::POINT);
    points_left <= points_left + 3'(point_valid && point_ready_i);
    scalars_left <= scalars_left + 3'(scalar_valid && scalar_ready_i);
    if (sum_valid_i && sum_ready) begin
      if (started && counted != 16'(sums)) counted <= counted + 1'b1;
      else missed <= 1'b1;
    end
    if (rst_i) begin
      {started, missed, address_taken, data_taken} <= '0;
      {written, words, came, points_left, scalars_left} <= '0;
    end
  end
  always @* begin
    if (live) assume (!rst_i);
    if (waited) assume (packet_valid_i && {kind_i, seed_i} == {waited_kind, waited_seed});
    if (packet_valid_i) begin
      assume (packet.kind <= msmac_card_pkg::POINT);
      // One share, whose points come after it.
      if (packet.kind == msmac_card_pkg::SHARE) assume (!started && seed_i[1:0] != 0);
      if (packet.kind == msmac_card_pkg::POINT) assume (started && came < 3'(size));
    end
    if (bvalid_i) assume (address_taken && data_taken);
  end
  always @* if (live && !rst_i) begin
    if (takes && packet.kind != msmac_card_pkg::POINT) assert (idle_i && written == words);
    if (packet_valid_i && packet.kind != msmac_card_pkg::POINT && idle_i && written == words) assert (packet_ready);
    assert (request.awvalid == (written != words && !address_taken) && request.wvalid == (written != words && !data_taken));
    if (request.awvalid) assert (request.awaddr == 32'(address));
    if (request.wvalid) assert (request.wdata == word && request.wstrb == '1);
    assert (!request.arvalid && request.bready == (address_taken && data_taken));
    if (point_valid) assert (points_left < came && point[2:0] == points_left && last == (points_left + 1 == 3'(size)));
    if (scalar_valid) assert (scalars_left < came && scalar[2:0] == scalars_left && last == (scalars_left + 1 == 3'(size)));
    // All points are here, or a buffer is full: then something is offered.
    if (started && came == 3'(size) && scalars_left != came) assert (point_valid || scalar_valid);
    assert (result_valid == (sum_valid_i && started && counted != 16'(sums)));
    if (result_valid) assert (result.number == msmac_card_pkg::NUMBER_WIDTH'(first) + msmac_card_pkg::NUMBER_WIDTH'(counted) && result.sum[1:0] == sum_i);
    if (sum_valid_i) assert (sum_ready == (!result_valid || result_ready_i));
    assert (surplus == missed);
  end
endmodule
