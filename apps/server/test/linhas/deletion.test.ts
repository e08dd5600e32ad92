import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, waitUntil } from '#test/app.ts'
import { connectBot, givenConta } from '#test/builders.ts'
import { addLine, connectLine, newPhone, waitingOn, writesOn } from './lines.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const openOn = (linhaId: string) =>
  app.sql(`select status from conversas where linha_id = $1 and status <> 'finalizada'`, [linhaId])

/** A further line that is connected, with a customer in the menu. */
async function givenLine() {
  const dona = await givenConta(app)
  await connectBot(dona)
  const { id } = await addLine(dona, 'Filial')
  await connectLine(dona, id)
  const phone = newPhone()
  await writesOn(dona, id, phone, 'oi')
  await waitUntil(async () => (await openOn(id)).length > 0)
  return { dona, id, phone }
}

/** Deletes the line and stops before its conversas of the bot end, until `meanwhile` is over. */
async function deleteSlowly({ dona, id }: Awaited<ReturnType<typeof givenLine>>, meanwhile: () => Promise<void>) {
  const client = await app.database.owner.connect()
  try {
    await client.query('begin')
    await client.query(`select 1 from conversas where linha_id = $1 order by id limit 1 for update`, [id])
    const deleted = dona.request('DELETE', `/linhas/${id}`)
    await waitUntil(async () => {
      const waiting = await app.sql(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%conversas%expirada%'`,
      )
      return waiting.length > 0
    })
    await meanwhile()
    await client.query('commit')
    return await deleted
  } finally {
    client.release()
  }
}

describe('DELETE /linhas/:id', () => {
  it('opens no conversa for a customer who asks for a person at the same moment', async () => {
    const line = await givenLine()
    const late = newPhone()
    await writesOn(line.dona, line.id, late, 'oi')
    await waitUntil(async () => (await openOn(line.id)).length > 1)
    const asked: Promise<void>[] = []
    const answer = await deleteSlowly(line, async () => {
      asked.push(writesOn(line.dona, line.id, late, 'atendente'))
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    })
    expect(answer.status).toBe(204)
    await Promise.allSettled(asked)
    await app.idle()
    expect(await openOn(line.id)).toEqual([])
  })

  it('finishes a conversa of the bot that begins at the same moment', async () => {
    const line = await givenLine()
    const answer = await deleteSlowly(line, async () => {
      await writesOn(line.dona, line.id, newPhone(), 'oi')
      await waitUntil(async () => (await openOn(line.id)).length > 1)
    })
    expect(answer.status).toBe(204)
    expect(await openOn(line.id)).toEqual([])
  })

  it('fails the messages that wait, publishes them and logs their number', async () => {
    const { dona, id } = await givenLine()
    const conversaId = await waitingOn(dona, id, newPhone())
    const path = `/atendimento/conversas/${conversaId}`
    await dona.request('POST', `${path}/assumir`)
    await dona.request('POST', `/linhas/${id}/parar`)
    const sent = await dona.request('POST', `${path}/mensagem`, { mensagem: 'Já vou' })
    expect(sent.body['mensagem'], JSON.stringify(sent.body)).toMatchObject({ estado: 'pendente' })
    const { received } = await app.connect(dona)
    expect((await dona.request('DELETE', `/linhas/${id}?encerrar=true`)).status).toBe(204)
    const published = () =>
      received.flatMap(([name, event]) => (name === 'mensagemConversaHumana' ? [Object(event['mensagem'])] : []))
    const failed = { texto: 'Já vou', estado: 'falhou', erro: 'A linha foi excluída antes do envio desta mensagem.' }
    await waitUntil(() => published().length > 0)
    expect(published()).toEqual([expect.objectContaining(failed)])
    expect(await app.sql('select 1 from saida where linha_id = $1', [id])).toEqual([])
    const logs = await app.sql(`select mensagem from logs where conta_id = $1 and mensagem like '%excluída%'`, [
      dona.contaId,
    ])
    expect(logs).toEqual([{ mensagem: 'Uma mensagem não foi enviada, porque a linha “Filial” foi excluída.' }])
  })
})
