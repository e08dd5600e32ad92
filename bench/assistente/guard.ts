import { readFile } from 'node:fs/promises'
import { checkAnswer } from '@balcao/engine/ia/guard/check-answer'
import { readAnswers } from '@balcao/engine/ia/guard/testing/labels'
import { evidenceOf } from '@balcao/engine/ia/guard/testing/shops'
import { percentile } from '../messages/meters.ts'
import { atMost, figure, type Section, shown } from '../report.ts'

const FOLDER = new URL('../../packages/engine/src/ia/guard/testing/', import.meta.url)
const ROUNDS = 5

/** Checks every labelled answer several times. The first round warms the code up. */
export async function measureGuard(): Promise<Section> {
  const files = await Promise.all(
    ['invented.tsv', 'supported.tsv'].map((name) => readFile(new URL(name, FOLDER), 'utf8')),
  )
  const cases = files.flatMap(readAnswers).map((answer) => ({ ...answer, evidence: evidenceOf(answer) }))
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { resposta, evidence } of cases) {
      const start = performance.now()
      checkAnswer(resposta, evidence)
      if (round > 0) times.push(performance.now() - start)
    }
  }
  return {
    title: 'Guard of the answers',
    lines: [
      shown('labelled answers', figure(cases.length)),
      shown('one answer, p50', figure(percentile(times, 50), 'ms')),
      atMost('one answer, p95', percentile(times, 95), 2, 'ms'),
    ],
  }
}
