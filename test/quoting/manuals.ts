import { reading } from "../writing/readings.ts";

/** A small manual in English, written for these tests. */
export const manual = reading("manual", "Ferry control manual", [
  ["heading1", "Ferry control manual"],
  ["paragraph", "The controller moves one ferry between two piers. It was first installed in 2019."],
  ["heading2", "The docking loop"],
  ["paragraph", "While the ferry is near a pier, the docking loop corrects its course. The docking loop ends with:"],
  ["list-item", "moored, when both ropes are tight"],
  ["list-item", "cap, after twelve corrections"],
  ["list-item", "storm, when the wind exceeds 14.5 m/s"],
  ["paragraph", "After the cap the captain docks by hand. Is that safe? Nobody has been hurt so far."],
  ["heading2", "Settings"],
  ["table-row", "name | default | meaning"],
  ["table-row", "BEACON_PORT | 4455 | the port where beacons report"],
  ["table-row", "MAX_SPEED | 11 knots | faster ferries are slowed down"],
  ["heading2", "Power"],
  [
    "paragraph",
    "When the power fails, the controller restarts from its last checkpoint. No command that was acknowledged is lost after a power failure.",
  ],
  ["code", "systemctl restart ferry-controller"],
]);

/** A second manual, so that there is a choice. */
export const guide = reading("guide", "Guide for passengers", [
  ["heading1", "Guide for passengers"],
  ["paragraph", "Tickets are sold on board, and children travel free. Dogs are welcome on the upper deck."],
  ["heading2", "Storms"],
  ["paragraph", "In a storm the ferry stays at its pier, and passengers wait in the hall. The hall has a stove and a small kitchen."],
]);

/** A manual in Chinese. */
export const shouce = reading("shouce", "渡轮控制手册", [
  ["heading1", "渡轮控制手册"],
  ["paragraph", "控制器让一艘渡轮在两个码头之间航行。它于2019年首次安装。"],
  ["heading2", "靠泊循环"],
  ["paragraph", "渡轮接近码头时，靠泊循环会修正航向。修正十二次之后，靠泊循环就会结束，由船长手动靠泊。这样安全吗？"],
  ["heading2", "供电"],
  ["paragraph", "断电以后，控制器从最近的检查点重新启动。已经确认的命令不会丢失。"],
]);
