// Parts that are not looked at: a veil that is denser where a surface turns away, so that shapes are seen and what is behind them,
// too. What stands between the eye and what it looks at is left out.

import { DoubleSide, type IUniform, MeshLambertMaterial } from "three";

/// How far what is looked at is from the eye. All veils share it.
export const focusDistance: IUniform<number> = { value: 1 };

function veil(material: MeshLambertMaterial, ending: string): MeshLambertMaterial {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.focusDistance = focusDistance;
    shader.fragmentShader =
      "uniform float focusDistance;\n" +
      shader.fragmentShader.replace(
        "#include <opaque_fragment>",
        `float facing = abs(dot(normalize(normal), normalize(vViewPosition)));
         float presence = smoothstep(0.35, 0.9, length(vViewPosition) / focusDistance);
         ${ending}
         #include <opaque_fragment>`,
      );
  };
  return material;
}

export function ghostMaterial(): MeshLambertMaterial {
  const material = new MeshLambertMaterial({
    flatShading: true,
    side: DoubleSide,
    transparent: true,
    depthWrite: false,
  });
  return veil(material, "diffuseColor.a *= presence * (0.07 + 0.36 * (1.0 - facing) * (1.0 - facing));");
}

/// Only the depth of the veil, so that it is one layer thick however many parts stand behind each other.
export function depthMaterial(): MeshLambertMaterial {
  const material = new MeshLambertMaterial({ flatShading: true, side: DoubleSide, colorWrite: false });
  return veil(material, "if (presence < 0.5) discard;");
}
