import { expect, it } from 'vitest'
import { ehGatilho, temGatilho } from './gatilhos.ts'

const gatilhos = ['ia', 'inteligência artificial', 'C++', '.*', '  ']

it.each(['ia', 'quero a IA!', 'IA?', 'tem inteligencia ARTIFICIAL aqui', 'inteligência, artificial', 'sei c++'])(
  'finds a trigger in %j',
  (texto) => {
    expect(temGatilho(gatilhos, texto)).toBe(true)
  },
)

it.each(['farinha', 'dia', 'inteligencia natural artificial', '', '   ', 'qualquer coisa', '.*'])(
  'finds no trigger in %j',
  (texto) => {
    expect(temGatilho(gatilhos, texto)).toBe(false)
  },
)

it('recognises a text that is exactly a trigger', () => {
  expect(ehGatilho(gatilhos, 'Inteligencia Artificial!')).toBe(true)
  expect(ehGatilho(gatilhos, 'quero a ia')).toBe(false)
  expect(ehGatilho(gatilhos, '')).toBe(false)
})
