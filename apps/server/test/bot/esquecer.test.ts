import { afterAll, beforeAll, expect, it } from 'vitest'
import { enderecoCanonico } from '#bot/endereco.ts'
import { ate, type BotHouse, conectar, createBotHouse, createCliente, textosDe } from './house.ts'

let house: BotHouse
beforeAll(async () => {
  house = await createBotHouse()
})
afterAll(() => house?.close())

/** Deletes the rows of a contato, as an erasure on another node does. */
async function apagar(contaId: string, telefone: string): Promise<{ contatoId: string; enderecos: string[] }> {
  const endereco = enderecoCanonico(telefone, telefone)
  const { rows } = await house.database.owner.query<{ contato_id: string }>(
    'select contato_id from enderecos where conta_id = $1 and endereco = $2',
    [contaId, endereco],
  )
  const contatoId = rows[0]?.contato_id ?? ''
  await house.database.owner.query('delete from saida where conta_id = $1 and contato_id = $2', [contaId, contatoId])
  await house.database.owner.query('delete from contatos where conta_id = $1 and id = $2', [contaId, contatoId])
  return { contatoId, enderecos: [endereco] }
}

it('drops waiting messages of an erased contato on every node', async () => {
  const contaId = await house.conta()
  let fora = true
  const no = await house.no('com-a-sessao', {
    tempos: { esperasMs: [200, 200, 200, 200] },
    connector: (base) => ({
      ...base,
      send: async (mensagem) => {
        if (fora) throw new Error('offline')
        await base.send(mensagem)
      },
    }),
  })
  await conectar(no, contaId)
  const outro = await house.no('outro')
  const [ana, bia] = [createCliente(no, contaId), createCliente(no, contaId, 'Bia')]
  await ana.diz('oi')
  await bia.diz('oi')
  outro.runtime.bots.esquecerContato(contaId, await apagar(contaId, ana.telefone))
  // The bus keeps its order, so this event arrives after the erasure.
  await new Promise<void>((resolve) => {
    const sair = no.deps.bus.subscribe('contexto', () => {
      sair()
      resolve()
    })
    outro.runtime.bots.contextoMudou(contaId)
  })
  fora = false
  await ate(() => textosDe(house, bia.telefone).length === 2)
  expect(textosDe(house, ana.telefone)).toEqual([])
  // Otherwise this node could take the bot of the next test.
  await no.stop()
  await outro.stop()
})

it('creates a new contato for an erased customer still in the cache', async () => {
  const contaId = await house.conta()
  const no = await house.no('surdo')
  await conectar(no, contaId)
  const ana = createCliente(no, contaId)
  await ana.diz('oi')
  const { contatoId } = await apagar(contaId, ana.telefone)
  await ana.diz('oi de novo')
  const { rows } = await house.database.owner.query(
    `select c.id <> $2 as outro, m.texto from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
     join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id where m.conta_id = $1 and m.direcao = 'entrada'`,
    [contaId, contatoId],
  )
  expect(rows).toEqual([{ outro: true, texto: 'oi de novo' }])
})
