import { availableParallelism } from 'node:os'

/**
 * How many test files of Node, and how many pages of the browser, run at once. All the projects say the same number, so that
 * they are one group and run side by side; a project with a number of its own would wait for the others, or they for it.
 * Even one core has two: most tests wait, for a database, a socket or a page. More than four would want more database
 * connections than the tests' server has.
 */
export const LANES = Math.min(4, Math.max(2, availableParallelism()))

/**
 * A journey that fails is gone through once more, for what a busy machine does to real browsers, sockets and databases. Whoever
 * needed it is named at the end of the run (`closing-line.reporter.ts`): a test on that list has a fault, in it or in the product.
 */
export const SECOND_TRY = 1
