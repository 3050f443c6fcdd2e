// Dragging a part while a server says how the two stand to each other. The protocol is in src/live.rs.

import { Matrix4, Object3D, Vector3 } from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import type { Meeting, Point, Polyline, Side, Verdict } from "./data";
import type { View } from "./view";

interface Answer {
  verdict: Verdict | "clear";
  contained?: Side | null;
  curve?: Polyline[] | null;
  faces_a?: number[] | null;
  faces_b?: number[] | null;
  face_pairs?: number | null;
  point?: Point | null;
  distance?: number | null;
  closest?: [Point, Point] | null;
}

export class Live {
  part = 1;
  answers = 0;
  private readonly gizmo: TransformControls;
  private readonly handle = new Object3D();
  /// Where handle and part were when they were joined.
  private readonly worldFromHandle = new Matrix4();
  private readonly partAtStart = new Matrix4();
  private asking = false;
  private waiting = false;

  constructor(
    private readonly view: View,
    private readonly answered: (meeting: Meeting) => void,
    private readonly failed: (reason: string) => void,
  ) {
    this.gizmo = new TransformControls(view.eye.camera, view.canvas);
    this.gizmo.setSize(0.9);
    this.gizmo.attach(this.handle);
    view.overlayRoot.add(this.handle);
    view.overlay.add(this.gizmo.getHelper());
    this.gizmo.addEventListener("change", () => view.request());
    this.gizmo.addEventListener("dragging-changed", (event) => (view.eye.controls.enabled = !event.value));
    this.gizmo.addEventListener("objectChange", () => this.moved());
    this.take(1);
    this.ask();
  }

  setMode(mode: "translate" | "rotate"): void {
    this.gizmo.setMode(mode);
  }

  get mode(): string {
    return this.gizmo.mode;
  }

  /// Takes hold of a part, at the middle of its box.
  take(part: number): void {
    if (part > 1) return;
    this.part = part;
    const box = this.view.extent.partBox(part);
    const middle = box.isEmpty() ? new Vector3() : box.getCenter(new Vector3());
    this.handle.position.copy(this.view.frame.point(middle));
    this.handle.quaternion.identity();
    this.handle.updateMatrix();
    this.worldFromHandle.copy(this.world()).invert();
    this.partAtStart.copy(this.view.worldFromModel[part]);
    this.view.request();
  }

  /// Where the handle is, in pixels of the page.
  onScreen(): { x: number; y: number } {
    const box = this.view.canvas.getBoundingClientRect();
    const at = this.handle.getWorldPosition(new Vector3()).project(this.view.eye.camera);
    return { x: box.x + ((at.x + 1) / 2) * box.width, y: box.y + ((1 - at.y) / 2) * box.height };
  }

  /// The handle's matrix in the world.
  private world(): Matrix4 {
    const position = this.view.frame.world(this.handle.position);
    return new Matrix4().compose(position, this.handle.quaternion, new Vector3(1, 1, 1));
  }

  private moved(): void {
    const moved = this.world().multiply(this.worldFromHandle).multiply(this.partAtStart);
    this.view.setPose(this.part, moved);
    this.ask();
  }

  /// One question at a time; the latest pose is asked as soon as the answer is there.
  ask(): void {
    if (this.asking) {
      this.waiting = true;
      return;
    }
    this.asking = true;
    void this.post().finally(() => {
      this.asking = false;
      if (this.waiting) {
        this.waiting = false;
        this.ask();
      }
    });
  }

  private async post(): Promise<void> {
    const rows = (part: number) => this.view.worldFromModel[part].clone().transpose().toArray();
    const question = { part: this.part, world_from_model: rows(this.part), world_from_other: rows(1 - this.part) };
    try {
      const response = await fetch("/pose", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(question),
      });
      if (!response.ok) return this.failed((await response.text()) || response.statusText);
      const answer = (await response.json()) as Answer;
      this.answers++;
      this.answered({
        verdict: answer.verdict,
        contained: answer.contained ?? null,
        point: answer.point ?? null,
        facePairs: answer.face_pairs ?? 0,
        distance: answer.distance ?? null,
        curve: answer.curve ?? [],
        facesA: new Uint32Array(answer.faces_a ?? []),
        facesB: new Uint32Array(answer.faces_b ?? []),
        closest: answer.closest ?? null,
      });
    } catch (error) {
      this.failed(`no answer: ${String(error)}`);
    }
  }
}
