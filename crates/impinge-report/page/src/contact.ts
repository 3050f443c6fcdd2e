// The contact surface is made of whole faces, and a face may be much larger than where it meets the other part. So it is red inside
// the box of the clash, and hatched outside.

import { type Box3, Color, type Material, type Mesh, Vector3 } from "three";

/// Hatches a mesh outside a box of the scene, on the part's color; with null nothing of it is left there.
export function hatchOutside(mesh: Mesh, box: Box3, part: number | null): void {
  const size = box.getSize(new Vector3());
  // Small faces stay whole, and flat boxes, such as those of parts that touch, get some thickness.
  const margin = 0.12 * Math.max(size.x, size.y, size.z);
  const uniforms = {
    boxMin: { value: box.min.clone().subScalar(margin) },
    boxMax: { value: box.max.clone().addScalar(margin) },
    partColor: { value: new Color(part ?? 0) },
    // Its own matrix leads to the scene before that is turned upright. It stays the same object when the part moves.
    rootFromPacked: { value: mesh.matrix },
  };
  const hatch = "if (mod(gl_FragCoord.x + gl_FragCoord.y, 13.0) > 1.4) diffuseColor.rgb = partColor;";
  const outside = part === null ? "diffuseColor.a = 0.0;" : hatch;
  const material = mesh.material as Material;
  material.customProgramCacheKey = () => `contact ${outside}`;
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = `uniform mat4 rootFromPacked;\nvarying vec3 inRoot;\n${shader.vertexShader}`.replace(
      "#include <project_vertex>",
      "inRoot = (rootFromPacked * vec4(transformed, 1.0)).xyz;\n#include <project_vertex>",
    );
    shader.fragmentShader =
      `uniform vec3 boxMin, boxMax, partColor;\nvarying vec3 inRoot;\n${shader.fragmentShader}`.replace(
        "#include <color_fragment>",
        `#include <color_fragment>
       if (any(lessThan(inRoot, boxMin)) || any(greaterThan(inRoot, boxMax))) { ${outside} }`,
      );
  };
}
