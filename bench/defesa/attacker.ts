import { LOADS, START } from './loads.ts'

/**
 * Process of one load: `attacker.ts load url token`. Sends `ready` when the load has begun, and its answer counts when
 * the parent asks. Ends with its parent.
 */

const [name, url = '', token = ''] = process.argv.slice(2)
const load = LOADS.find((one) => one === name)
if (load === undefined) throw new Error(`unknown load: ${name}`)

const answers = new Map<string, number>()
process.once('message', () => {
  process.send?.(Object.fromEntries(answers))
  process.disconnect()
})
process.once('disconnect', () => process.exit(0))
await START[load]({ url, token, count: (answer) => void answers.set(answer, (answers.get(answer) ?? 0) + 1) })
process.send?.('ready')
