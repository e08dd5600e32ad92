import { openBotBench } from '@balcao/server/bench'
import { benchConfig } from '../messages/config.ts'
import { median } from '../messages/meters.ts'
import { ratePerSecond } from '../nodes/hot-path.ts'
import { type BenchServer, withServer } from '../nodes/processes.ts'
import { atLeast, figure, type Line, shown } from '../report.ts'

const ROUNDS = 7
const SHARE_MIN = 0.9

/** The full and an empty database with the same settings take turns, so noise of the machine affects both. */
export function compareHotPath(full: BenchServer, settings: Readonly<Record<string, string>>): Promise<Line[]> {
  return withServer(settings, async (empty) => {
    const [small, large] = [
      await openBotBench({ config: benchConfig(), on: empty }),
      await openBotBench({ config: benchConfig(), on: full }),
    ]
    try {
      const rates: { readonly small: number; readonly large: number }[] = []
      for (const bench of [small, large]) await ratePerSecond(bench)
      for (let round = 0; round < ROUNDS; round += 1)
        rates.push({ small: await ratePerSecond(small), large: await ratePerSecond(large) })
      return [
        shown('messages a second, empty database', figure(Math.round(median(rates.map((one) => one.small))))),
        shown('messages a second, full database', figure(Math.round(median(rates.map((one) => one.large))))),
        atLeast('rate full over rate empty', median(rates.map((one) => one.large / one.small)), SHARE_MIN, '×'),
      ]
    } finally {
      await small.close()
      await large.close()
    }
  })
}
