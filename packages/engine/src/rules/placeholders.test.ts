import { expect, it } from 'vitest'
import { testBotContext, MONDAY_10H } from '#testing/transcript.ts'
import { fillPlaceholders } from './placeholders.ts'

const values = (nome: string) => ({
  context: testBotContext(),
  contato: { nome, telefone: '5511912345678' },
  now: MONDAY_10H,
  protocolo: '20261123-0007',
})

it.each([
  ['{nome}, {empresa}', 'Marina, Padaria Aurora'],
  ['{telefone} {protocolo}', '5511912345678 20261123-0007'],
  ['{data} {hora}', '23/11/2026 10:00'],
  ['{horario}', 'segunda a sexta, das 8h às 18h'],
  ['{Nome} {outra} {} {nome', '{Nome} {outra} {} {nome'],
  ['{nome}{nome}', 'MarinaMarina'],
  ['sem chaves', 'sem chaves'],
])('fills %j', (text, full) => {
  expect(fillPlaceholders(text, values('Marina'))).toBe(full)
})

it.each([
  ['Olá, {nome}!', 'Olá!'],
  ['{nome}, tudo bem?', 'tudo bem?'],
  ['Oi {nome}', 'Oi'],
])('removes an unknown name and its comma from %j', (text, full) => {
  expect(fillPlaceholders(text, values('  '))).toBe(full)
})

it('inserts values without reading placeholders or patterns in them', () => {
  expect(fillPlaceholders('{nome}|{empresa}', values('{empresa} $& $1'))).toBe('{empresa} $& $1|Padaria Aurora')
})
