import { expect, it } from 'vitest'
import { fillReplyVariables } from './reply-variables.ts'

const VALUES = {
  nome: 'Bia Lima',
  protocolo: '20260302-0007',
  operador: 'Rui',
  empresa: 'Padaria Aurora',
  linha: 'Delivery',
}

it.each([
  ['Oi, {nome}! Sou {operador}, da {empresa}.', {}, 'Oi, Bia Lima! Sou Rui, da Padaria Aurora.'],
  ['Fale com o {linha}.', {}, 'Fale com o Delivery.'],
  ['Protocolo {protocolo} / {protocolo}', {}, 'Protocolo 20260302-0007 / 20260302-0007'],
  ['Oi, {nome}!', { nome: ' ' }, 'Oi!'],
  ['{nome}, tudo bem?\n{nome}! Olá', { nome: '' }, 'tudo bem?\nOlá'],
  ['Preço {valor} {Nome} { nome } {}', {}, 'Preço {valor} {Nome} { nome } {}'],
  ['{nome}', { nome: '{empresa} $& $1' }, '{empresa} $& $1'],
  ['Sem variáveis', {}, 'Sem variáveis'],
])('fills %j with %j', (text, changed, filled) => {
  expect(fillReplyVariables(text, { ...VALUES, ...changed })).toBe(filled)
})
