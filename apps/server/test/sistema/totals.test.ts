import { afterAll, beforeAll, expect, it } from 'vitest'
import { totalsJob } from '#modules/sistema/index.ts'
import { createTestApp, type TestApp, waitUntil } from '#test/app.ts'
import { givenConta } from '#test/builders.ts'
import { readSeries, seriesIn } from '#test/metrics.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ background: false })
  const { contaId } = await givenConta(app)
  await app.sql(
    `insert into uso_diario (conta_id, dia, total, recebidas)
     select $1, current_date - n, 10, 100 from generate_series(0, 9) n`,
    [contaId],
  )
  await app.sql(
    `insert into uso_ia (conta_id, dia, perguntas, falhas, tokens_entrada, tokens_saida)
     select $1, current_date - n, 1, 0, 2, 3 from generate_series(0, 4) n`,
    [contaId],
  )
  await app.sql(
    `insert into arquivos (conta_id, nome, uso, tipo, tamanho, estado, criado_em)
     select $1, md5(n::text) || '.png', 'midia', 'image/png', 50, 'pronto', now() from generate_series(1, 3) n`,
    [contaId],
  )
})
afterAll(() => app?.close())

it('shows no gauge of the database on a node that does not lead', async () => {
  const { text } = await app.send('GET', '/metrics')
  expect(seriesIn(text, 'balcao_fila_de_saida')).toBeNull()
  expect(seriesIn(text, 'balcao_pronto')).not.toBeNull()
})

it('adds finished days once and keeps their sums when the rows are deleted', async () => {
  const round = async (): Promise<unknown> => {
    await app.sql('delete from tarefas')
    const job = totalsJob({
      ...app.deps,
      leader: { every: (options) => app.deps.leader.every({ ...options, firstMs: 0 }) },
    })
    job.start()
    const done = `select 1 from tarefas where feita_em >= comecou_em and erro is null`
    await waitUntil(async () => (await app.sql(done)).length === 2)
    await job.stop()
    return (
      await app.sql(`select enviadas, recebidas, perguntas, tokens, arquivos, arquivos_bytes as bytes,
      ate = current_date - 2 as ontem from totais`)
    )[0]
  }
  const summed = { enviadas: 80, recebidas: 800, perguntas: 3, tokens: 15, arquivos: 3, bytes: 150, ontem: true }
  expect(await round()).toEqual(summed)
  expect(await round()).toEqual(summed)
  expect(await readSeries(app, 'balcao_mensagens_enviadas')).toBe(100)
  expect(await readSeries(app, 'balcao_ia_tokens')).toBe(25)
  await app.sql('delete from uso_diario where dia < current_date - 2')
  expect(await round()).toEqual(summed)
  const { body } = await app.request('GET', '/admin/sistema')
  expect(body).toMatchObject({ arquivos: { quantos: 3, bytes: 150 } })
})
