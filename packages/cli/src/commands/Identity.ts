/**
 * Projects and users, by name or id: looked up at the identity service.
 *
 * @since 0.1.0
 */
import * as Identity from "@effect-manila/core/keystone/Identity"

/**
 * The project's id. One request for a name, none for an id; where listing projects is forbidden, the text is taken as
 * the id, as `openstack` does.
 *
 * @since 0.1.0
 */
export const project = (text: string, domain: string | undefined) => Identity.findId("projects", text, domain)

/**
 * The user's id, in the same way.
 *
 * @since 0.1.0
 */
export const user = (text: string, domain: string | undefined) => Identity.findId("users", text, domain)
