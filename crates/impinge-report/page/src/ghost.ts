// Parts that are not looked at: a veil that is denser where a surface turns away, so that shapes are seen and what is behind them,
// too.

import { DoubleSide, MeshBasicMaterial, MeshLambertMaterial } from "three";

export function ghostMaterial(): MeshLambertMaterial {
  const material = new MeshLambertMaterial({
    flatShading: true,
    side: DoubleSide,
    transparent: true,
    depthWrite: false,
  });
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      "#include <opaque_fragment>",
      `float facing = abs(dot(normalize(normal), normalize(vViewPosition)));
       diffuseColor.a *= 0.05 + 0.3 * (1.0 - facing) * (1.0 - facing);
       #include <opaque_fragment>`,
    );
  };
  return material;
}

/// Only the depth of the veil, so that it is one layer thick however many parts stand behind each other.
export function depthMaterial(): MeshBasicMaterial {
  return new MeshBasicMaterial({ colorWrite: false, side: DoubleSide });
}
