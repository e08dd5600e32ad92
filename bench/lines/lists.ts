import { median } from '../messages/meters.ts'
import { atLeast, figure, type Section, shown } from '../report.ts'
import { addLine, inParallel, newPhone, type Shop, withShops, writes } from './product.ts'

const LINES = 3
const CONVERSAS = 600
const IN_FLIGHT = 20
const ROUNDS = 9
const READS = 100

/** Customers who wait for a person, in turns with the lines. Undefined: the first line. */
async function fill(shop: Shop, lines: readonly (string | undefined)[]): Promise<void> {
  const numbers = Array.from({ length: CONVERSAS }, (_, n) => n)
  await inParallel(numbers, IN_FLIGHT, async (n) => {
    const telefone = newPhone()
    const line = lines[n % lines.length]
    await writes(shop, telefone, 'oi', line)
    await writes(shop, telefone, 'atendente', line)
  })
}

async function readsPerSecond({ api }: Shop): Promise<number> {
  const start = performance.now()
  for (let n = 0; n < READS; n += 1) await api.get('/atendimento/conversas?limite=40')
  return READS / ((performance.now() - start) / 1_000)
}

/** The two accounts take turns, so noise of the machine affects both. */
export function measureLists(): Promise<Section> {
  return withShops(2, async ([one, several]) => {
    if (one === undefined || several === undefined) throw new Error('two accounts were asked for')
    const further = []
    while (further.length < LINES - 1) further.push(await addLine(several, `Linha ${further.length + 2}`, 'simulador'))
    await fill(one, [undefined])
    await fill(several, [undefined, ...further])
    const [ofOne, ofSeveral]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      ofOne.push(await readsPerSecond(one))
      ofSeveral.push(await readsPerSecond(several))
    }
    const ratio = median(ofSeveral.map((rate, index) => rate / (ofOne[index] ?? rate)))
    return {
      title: `Lines: list of 40 of ${CONVERSAS} conversas`,
      lines: [
        shown('lists a second, one line', figure(median(ofOne), '/s')),
        shown(`lists a second, ${LINES} lines`, figure(median(ofSeveral), '/s')),
        atLeast(`rate with ${LINES} lines over rate with one`, ratio, 0.95, '×'),
      ],
      notes: [`Medians of ${ROUNDS} rounds of ${READS} requests, one after the other.`],
    }
  })
}
