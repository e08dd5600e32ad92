import { describe, expect, it } from 'vitest'
import { estimateWait, fillQueuePlace, namesQueuePlace } from './waiting-estimate.ts'

const minutes = (...values: number[]): number[] => values.map((value) => value * 60_000)

it.each([
  ['none', [], null],
  ['one wait', minutes(4), 4],
  ['an odd number of waits', minutes(9, 1, 3), 3],
  ['an even number of waits', minutes(8, 1, 3, 5), 4],
  ['seconds', [5_000, 9_000], 1],
  ['only the last 30', [...minutes(...Array.from({ length: 30 }, () => 7)), ...minutes(500, 500)], 7],
])('estimates the wait from %s', (_, waits, expected) => {
  expect(estimateWait(waits)).toBe(expected)
})

describe('fillQueuePlace', () => {
  it.each([
    ['Você é o {posicao}º da fila.[[ Espera: {espera} min.]]', 'Você é o 3º da fila. Espera: 12 min.'],
    ['[[{espera} min]] e [[{posicao}]]', '12 min e 3'],
    ['sem colchetes: {espera}', 'sem colchetes: 12'],
    ['[[aberto {espera}', '[[aberto 12'],
  ])('fills %j', (text, filled) => {
    expect(fillQueuePlace(text, { posicao: 3, espera: 12 })).toBe(filled)
  })

  it.each([
    ['Você é o {posicao}º da fila.[[ Espera: {espera} min.]]', 'Você é o 1º da fila.'],
    ['A[[\nlinha {espera}\n]]B[[c]]', 'AB'],
  ])('leaves out the optional parts of %j without an estimate', (text, filled) => {
    expect(fillQueuePlace(text, { posicao: 1, espera: null })).toBe(filled)
  })
})

it('finds texts that name the place in the queue', () => {
  expect(['{posicao}', 'x {espera}', '[[a]]', '{protocolo}', 'oi'].map(namesQueuePlace)).toEqual([
    ...[true, true, true],
    ...[false, false],
  ])
})
