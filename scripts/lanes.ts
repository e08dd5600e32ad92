import { availableParallelism } from 'node:os'

/**
 * How many test files of Node, and how many pages of the browser, run at once. All the projects say the same number, so that
 * they are one group and run side by side; a project with a number of its own would wait for the others, or they for it.
 * Even one core has two: most tests wait, for a database, a socket or a page. More than four would want more database
 * connections than the tests' server has.
 */
export const LANES = Math.min(4, Math.max(2, availableParallelism()))
