import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

/**
 * Number of test files of Node that run in parallel, and then of browser pages. The projects of Node use the same
 * number: vitest runs them as one group, and a project with another number would wait for the others. At least 3, because tests
 * mostly wait for databases and sockets: with 2 lanes, two cores are idle for a third of the second half of a run. At
 * most 4, because of the connections of the test database server.
 */
export const LANES = Math.min(4, Math.max(3, availableParallelism()))

/**
 * A failed test runs a second time, because a busy machine disturbs real browsers, sockets and databases.
 * `closing-line.reporter.ts` names the tests that needed it: each has a defect, in the test or in the product.
 */
export const SECOND_TRY = 1

/** True in a copy without `packages/whatsapp`. The tests that import it are left out. */
export const WITHOUT_WHATSAPP = !existsSync(join(import.meta.dirname, '..', 'packages', 'whatsapp'))

/**
 * Environment of all test processes and of the programs that they start. A Node process of this repository compiles
 * its modules in half a second of CPU; with the cache of `warm.mjs` it reads them compiled.
 */
export const COMPILED = { NODE_COMPILE_CACHE: join(import.meta.dirname, '..', 'apps', 'server', '.cache') }
