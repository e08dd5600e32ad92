import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Casa, createCasa } from '#test/bot/casa.ts'
import { ate } from '#test/bot/house.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { abrirLoja, conectada, contarStatus, createClienteDaMeta, type Loja } from './loja.ts'
import { createMetaFalsa, type MetaFalsa } from './meta-falsa.ts'

/** Simulates the table rows that a crashed server leaves behind and starts the next server. */

let banco: TestDatabase
let meta: MetaFalsa
let casa: Casa
let loja: Loja

// Longer than any status takes to arrive; no test waits for all of it.
const abrir = () => createCasa({ banco, oficialUrl: meta.url, temposOficial: { confirmacaoMs: 60_000 } })

beforeAll(async () => {
  banco = await createTestDatabase()
  meta = await createMetaFalsa()
  casa = await abrir()
  loja = await abrirLoja(casa, meta)
})
afterAll(async () => {
  await casa.close()
  await meta.close()
  await banco.drop()
})

const lados = {
  casa: () => casa,
  loja: () => loja,
  get meta() {
    return meta
  },
}
const semSaida = () => ate(async () => (await casa.sql('select 1 from saida')).length === 0)
const semChegadas = () => ate(async () => (await casa.sql('select 1 from oficial_chegadas')).length === 0)

describe('restart of the server', () => {
  it('answers messages kept while stopped, once and in order', async () => {
    const ana = createClienteDaMeta({ ...lados, nome: 'Ana', numero: '5511930000001' })
    await casa.pedir('POST', '/bot/parar')
    expect(await ana.diz('oi', 'wamid.PARADO')).toBe(200)
    expect(await ana.diz('4')).toBe(200)
    expect(await ana.diz('oi', 'wamid.PARADO')).toBe(200)
    expect(ana.recebidas()).toEqual([])
    await casa.close()
    casa = await abrir()
    await casa.pedir('POST', '/bot/iniciar')
    await conectada(casa)
    expect(await ana.leu(3)).toHaveLength(3)
    await semChegadas()
    const recebidas = await casa.sql(`select texto from mensagens where direcao = 'entrada' order by id`)
    expect(recebidas.map(({ texto }) => texto)).toEqual(['oi', '4'])
  })

  it('ignores a repeated message that was already answered', async () => {
    const ana = createClienteDaMeta({ ...lados, nome: 'Ana', numero: '5511930000001' })
    const antes = ana.recebidas().length
    // Received and answered, but the journal entry was not deleted and Meta repeats it.
    await ana.diz('oi', 'wamid.PARADO')
    await semChegadas()
    await casa.ocioso()
    expect(ana.recebidas()).toHaveLength(antes)
  })

  it('resends immediately when Meta refused the message after the restart', async () => {
    const caio = createClienteDaMeta({ ...lados, nome: 'Caio', numero: '5511930000003' })
    await caio.diz('atendente')
    await caio.leu(2)
    const [conversa] = await casa.sql(`select id from conversas where protocolo is not null`)
    await casa.pedir('POST', `/atendimento/conversas/${String(conversa?.['id'])}/mensagem`, { mensagem: 'chegou?' })
    await semSaida()
    const ditas = () => caio.recebidas().filter(({ text }) => text?.body === 'chegou?')
    const [enviada] = ditas()
    if (enviada === undefined) throw new Error('no message sent')
    await casa.close()
    casa = await abrir()
    await conectada(casa)
    await contarStatus(lados, enviada, { falhou: 131026 })
    const falha = await ate(async () => {
      const [lida] = await casa.sql(`select id from mensagens where texto = 'chegou?' and estado = 'falhou'`)
      return lida ?? null
    })
    await casa.pedir('POST', `/atendimento/mensagens/${String(falha['id'])}/reenviar`)
    await semSaida()
    expect(ditas()).toHaveLength(2)
    expect(await casa.sql(`select 1 from mensagens where texto = 'chegou?' and estado = 'enviada'`)).toHaveLength(1)
  })

  it('answers while kept files download, at most four at once', async () => {
    await casa.pedir('POST', '/bot/parar')
    const soltar = meta.segurarArquivos()
    const fotos = Array.from({ length: 12 }, (_, n) =>
      createClienteDaMeta({ ...lados, nome: `Foto ${n}`, numero: `55119300001${String(n).padStart(2, '0')}` }),
    )
    for (const [n, cliente] of fotos.entries()) {
      meta.arquivos.set(`${800 + n}`, { bytes: Buffer.from(`%PDF-1.4 ${n}`), mime: 'application/pdf' })
      await cliente.manda({ type: 'document', document: { id: `${800 + n}`, mime_type: 'application/pdf' } })
    }
    await casa.pedir('POST', '/bot/iniciar')
    await conectada(casa)
    const dora = createClienteDaMeta({ ...lados, nome: 'Dora', numero: '5511930000004' })
    await dora.diz('oi')
    await dora.leu(2)
    soltar()
    await semChegadas()
    expect(meta.arquivosAoMesmoTempo()).toBeLessThanOrEqual(4)
    expect(await casa.sql(`select 1 from mensagens where midia ->> 'url' <> ''`)).toHaveLength(12)
  })

  it('does not resend a message that Meta confirms after the restart', async () => {
    const bia = createClienteDaMeta({ ...lados, nome: 'Bia', numero: '5511930000002' })
    await bia.diz('oi')
    await bia.leu(2)
    await semSaida()
    const [ultima] = bia.recebidas().slice(-1)
    if (ultima === undefined) throw new Error('no message sent')
    await casa.close()
    // The process ended after Meta's answer and before the outbox row was deleted.
    await banco.owner.query(
      `insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo)
       select m.conta_id, m.id, v.contato_id, $1, '{}', m.id::text
       from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id where m.id = $2::uuid`,
      [bia.numero, ultima.biz_opaque_callback_data],
    )
    const jaLidas = bia.recebidas().length
    casa = await abrir()
    await conectada(casa)
    await contarStatus(lados, ultima, 'sent')
    await semSaida()
    expect(bia.recebidas()).toHaveLength(jaLidas)
  })
})
