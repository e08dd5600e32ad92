import type { TestApp } from '#test/app.ts'

type Labels = Readonly<Record<string, string>>

/** Sum of the series of `/metrics` with this name and at least these labels. Null: there is no such series. */
export function seriesIn(text: string, name: string, labels: Labels = {}): number | null {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const values = text.split('\n').flatMap((line) => {
    const [, lineName, given = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    return lineName === name && wanted.every((label) => given.includes(label)) ? [Number(value)] : []
  })
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value)
}

/** As `seriesIn`, from a running server. 0 before the first observation. */
export async function readSeries({ send }: Pick<TestApp, 'send'>, name: string, labels: Labels = {}): Promise<number> {
  return seriesIn((await send('GET', '/metrics')).text, name, labels) ?? 0
}
