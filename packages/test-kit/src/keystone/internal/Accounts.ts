/**
 * Who there is: two projects with a member each, a reader, an administrator with a project of its own, and a member who
 * needs two proofs. One of the members has handed on what it may do.
 */

export const domain = { id: "default", name: "Default" } as const

export interface Project {
  readonly id: string
  readonly name: string
}

export interface User {
  readonly id: string
  readonly name: string
  readonly password: string
  readonly project: Project
  /** Weakest last: an administrator is also a member and a reader. */
  readonly roles: ReadonlyArray<RoleName>
  /** Scope of a token that was asked for without one. */
  readonly defaultProject?: Project
  /** Of the user's device: passcodes are made of it. */
  readonly totpSecret: string
  /** Sets of methods, one of which a login must have in full. Default: any method will do. */
  readonly rules?: ReadonlyArray<ReadonlyArray<string>>
  readonly applicationCredential: { readonly id: string; readonly name: string; readonly secret: string }
}

export type RoleName = "admin" | "member" | "reader"

export const roles: Readonly<Record<RoleName, string>> = {
  admin: "5c1f0ac5d0f94c1f8d6c2a3e6e1c7b01",
  member: "5c1f0ac5d0f94c1f8d6c2a3e6e1c7b02",
  reader: "5c1f0ac5d0f94c1f8d6c2a3e6e1c7b03"
}

export const projects = {
  demo: { id: "d3300a5c8e1b4f6a9c1d2e3f4a5b6c01", name: "demo" },
  other: { id: "d3300a5c8e1b4f6a9c1d2e3f4a5b6c02", name: "other" },
  admin: { id: "d3300a5c8e1b4f6a9c1d2e3f4a5b6c03", name: "admin" }
} as const satisfies Record<string, Project>

const user = (
  number: number,
  name: string,
  project: Project,
  roles: ReadonlyArray<RoleName>,
  defaultProject?: Project,
  rules?: ReadonlyArray<ReadonlyArray<string>>
): User => ({
  id: `a11ce0f7b2c34d5e8f90a1b2c3d4e50${number}`,
  name,
  password: `${name}-secret`,
  project,
  roles,
  ...(defaultProject === undefined ? {} : { defaultProject }),
  ...(rules === undefined ? {} : { rules }),
  totpSecret: `${name}-device`,
  applicationCredential: {
    id: `c0ffee11b2c34d5e8f90a1b2c3d4e50${number}`,
    name: `${name}-app`,
    secret: `${name}-app-secret`
  }
})

export const users = {
  demo: user(1, "demo", projects.demo, ["member", "reader"]),
  other: user(2, "other", projects.other, ["member", "reader"], projects.other),
  reader: user(3, "reader", projects.demo, ["reader"]),
  admin: user(4, "admin", projects.admin, ["admin", "member", "reader"]),
  guarded: user(5, "guarded", projects.demo, ["member", "reader"], undefined, [["password", "totp"]])
} as const satisfies Record<string, User>

/** What a trustor lets a trustee do in its name. */
export interface Trust {
  readonly id: string
  readonly trustor: User
  readonly trustee: User
  readonly project: Project
}

/** `other` may act as `demo` in its project. */
export const trust: Trust = {
  id: "7a057ed0b2c34d5e8f90a1b2c3d4e501",
  trustor: users.demo,
  trustee: users.other,
  project: projects.demo
}

export const allUsers: ReadonlyArray<User> = Object.values(users)
export const allProjects: ReadonlyArray<Project> = Object.values(projects)

/** An id as it is, or the id of a project we know by name. */
export const projectId = (idOrName: string): string =>
  allProjects.find((project) => project.name === idOrName)?.id ?? idOrName
