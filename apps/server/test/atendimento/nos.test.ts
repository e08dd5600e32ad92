import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enviarComoOperador } from '#modules/atendimento/index.ts'
import { ate, type BotHouse, conectar, createBotHouse, createCliente, empregar, textosDe } from '#test/bot/house.ts'

let house: BotHouse
beforeAll(async () => {
  house = await createBotHouse()
})
afterAll(() => house.close())

describe('enviarComoOperador on a node without the session', () => {
  it('sends mensagens in order through the node with the session and publishes them', async () => {
    const comTelefone = await house.no('com')
    const contaId = await house.conta()
    await conectar(comTelefone, contaId)
    // Started after the connection, because an earlier start would take the bot's lease.
    const sem = await house.no('sem')
    const ana = createCliente(comTelefone, contaId)
    await ana.diz('oi')
    await ana.diz('2')
    await comTelefone.runtime.ocioso()
    const { rows } = await house.database.owner.query<{ id: string }>('select id from conversas where conta_id = $1', [
      contaId,
    ])
    const { bots, acontecerEm } = sem.runtime
    const operador = { id: '01900000-0000-7000-8000-000000000009', nome: 'Rui' }
    await empregar(house, contaId, operador)
    const enviadas: string[] = []
    for (let n = 0; n < 20; n += 1) {
      const envio = { contaId, conversaId: rows[0]?.id ?? '', texto: `n${n}`, operador }
      const { mensagem } = await sem.deps.db.transaction(contaId, (tx) =>
        enviarComoOperador(tx, { ...sem.deps, bots, acontecerEm }, envio),
      )
      enviadas.push(mensagem.id)
    }
    await ate(() => textosDe(house, ana.telefone).at(-1) === 'n19')
    const doOperador = textosDe(house, ana.telefone).filter((texto) => /^n\d+$/.test(texto))
    expect(doOperador).toEqual(enviadas.map((_, n) => `n${n}`))
    const sairam = (): unknown[] =>
      house.publicados.flatMap(({ evento, dados }) => {
        const { id, estado } = Object(dados['mensagem'])
        return evento === 'mensagemConversaHumana' && estado === 'enviada' && enviadas.includes(id) ? [id] : []
      })
    await ate(() => new Set(sairam()).size === 20)
    await comTelefone.stop()
    await sem.stop()
  })
})
