import { expect, it } from 'vitest'
import { isGatilho, containsGatilho } from './gatilhos.ts'

const gatilhos = ['ia', 'inteligência artificial', 'C++', '.*', '  ']

it.each(['ia', 'quero a IA!', 'IA?', 'tem inteligencia ARTIFICIAL aqui', 'inteligência, artificial', 'sei c++'])(
  'finds a trigger in %j',
  (text) => {
    expect(containsGatilho(gatilhos, text)).toBe(true)
  },
)

it.each(['farinha', 'dia', 'inteligencia natural artificial', '', '   ', 'qualquer coisa', '.*'])(
  'finds no trigger in %j',
  (text) => {
    expect(containsGatilho(gatilhos, text)).toBe(false)
  },
)

it('recognises a text that is exactly a trigger', () => {
  expect(isGatilho(gatilhos, 'Inteligencia Artificial!')).toBe(true)
  expect(isGatilho(gatilhos, 'quero a ia')).toBe(false)
  expect(isGatilho(gatilhos, '')).toBe(false)
})
