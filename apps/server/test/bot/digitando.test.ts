import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ate, type BotHouse, conectar, createBotHouse } from './house.ts'

let house: BotHouse
beforeAll(async () => {
  house = await createBotHouse()
})
afterAll(() => house.close())

describe('Bots.typing', () => {
  it('shows typing through the node with the session, once per interval', async () => {
    const mostrados: string[] = []
    const dono = await house.no('dono', {
      connector: (base) => ({ ...base, digitando: (endereco) => void mostrados.push(endereco) }),
    })
    const outro = await house.no('outro')
    const contaId = await house.conta()
    await conectar(dono, contaId)
    for (let vez = 0; vez < 3; vez += 1) dono.runtime.bots.digitando(contaId, '5511911112222')
    expect(mostrados).toEqual(['5511911112222'])
    for (let vez = 0; vez < 3; vez += 1) outro.runtime.bots.digitando(contaId, '5511933334444')
    await ate(() => mostrados.length > 1)
    expect(mostrados).toEqual(['5511911112222', '5511933334444'])
    await dono.stop()
    await outro.stop()
  })
})
