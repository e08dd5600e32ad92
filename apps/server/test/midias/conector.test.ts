import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { enviarComoOperador } from '#modules/atendimento/index.ts'
import { ate, type BotHouse, conectar, createBotHouse, createCliente, empregar } from '#test/bot/house.ts'

let house: BotHouse
beforeAll(async () => {
  house = await createBotHouse()
})
afterAll(() => house.close())

const OPERADOR = { id: '01900000-0000-7000-8000-000000000001', nome: 'Rui' }
const midiaDe = (letra: string): Midia => ({ tipo: 'imagem', url: `/api/midias/${letra.repeat(32)}.png` })

it('passes midia to the connector, immediately and after a stop', async () => {
  const contaId = await house.conta()
  await empregar(house, contaId, OPERADOR)
  const no = await house.no('um')
  await conectar(no, contaId)
  const cliente = createCliente(no, contaId)
  await cliente.diz('oi')
  await cliente.diz('atendente')
  const { rows } = await house.database.owner.query<{ id: string }>('select id from conversas where conta_id = $1', [
    contaId,
  ])
  const [{ id: conversaId } = { id: '' }] = rows
  const mandar = (texto: string, midia: Midia): Promise<unknown> =>
    house.database.db.transaction(contaId, (tx) =>
      enviarComoOperador(
        tx,
        { ...no.deps, bots: no.runtime.bots, acontecerEm: no.runtime.acontecerEm },
        { contaId, conversaId, texto, midia, operador: OPERADOR },
      ),
    )
  const recebida = (texto: string) => ate(() => house.recebidas.find((uma) => uma.texto === texto) ?? null)
  await mandar('agora', midiaDe('a'))
  expect(await recebida('agora')).toMatchObject({ endereco: cliente.telefone, midia: midiaDe('a') })

  await no.runtime.bots.parar(contaId)
  await mandar('depois', midiaDe('b'))
  await no.runtime.bots.iniciar(contaId)
  expect(await recebida('depois')).toMatchObject({ midia: midiaDe('b') })
})
