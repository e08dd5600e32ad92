import { describe, expect, it } from 'vitest'
import { parseCommand, foldText, isCourtesy, isGoodbye, isGreeting, foldedPhrase, wordsOf } from './text.ts'

it('folds case, accents, spaces and unusual digits', () => {
  expect(foldText('  AÇÃO\n  rápida ')).toBe('acao rapida')
  expect(foldText('a\u0301')).toBe(foldText('á'))
  expect(foldText('５️⃣ １')).toBe('5 1')
})

it('splits words and drops punctuation and emojis', () => {
  expect(wordsOf('Olá, tudo-bem? 👋')).toEqual(['ola', 'tudo', 'bem'])
  expect(wordsOf(' ?! ')).toEqual([])
  expect(foldedPhrase('Ajuda  Automática!')).toBe('ajuda automatica')
})

it('reads only the first 4096 characters', () => {
  expect(foldText('É'.repeat(100_000))).toHaveLength(4096)
})

describe('vocabularies', () => {
  it.each(['oi', 'Oi!', 'olá, tudo bem?', 'bom dia', 'Boa noite pessoal', 'opa'])(
    'accepts %j as a greeting',
    (text) => {
      expect(isGreeting(text)).toBe(true)
    },
  )

  it.each(['oi quero um bolo', 'bom', 'dia', 'tudo bem', '', 'boa sorte'])(
    'does not accept %j as a greeting',
    (text) => {
      expect(isGreeting(text)).toBe(false)
    },
  )

  it.each(['tchau', 'Até logo!', 'até amanhã', 'obrigado, tchau', 'falou'])('accepts %j as a goodbye', (text) => {
    expect(isGoodbye(text)).toBe(true)
  })

  it.each(['até que horas abre', 'até', 'obrigado', ''])('does not accept %j as a goodbye', (text) => {
    expect(isGoodbye(text)).toBe(false)
  })

  const cortesias =
    'ok|OK.|Obrigado!|muito obrigada|valeu|blz|show|👍|👍🏽|❤️|🇧🇷|🙏🙏|tá bom|tudo bem|de nada|tchau|até logo'
  it.each([...cortesias.split('|'), 'obrigada pela atenção, boa noite!', 'ok 👍'])(
    'accepts %j as a courtesy',
    (text) => {
      expect(isCourtesy(text)).toBe(true)
    },
  )

  it.each(['', ' ', 'sim', 'ok?', 'beleza?', 'obrigado, e o troco?', 'ok quero', 'bom dia', 'oi', '5', '5️⃣', 'e'])(
    'does not accept %j as a courtesy',
    (text) => {
      expect(isCourtesy(text)).toBe(false)
    },
  )
})

it.each([
  ['menu', 'menu'],
  ['MENU!', 'menu'],
  ['voltar', 'menu'],
  ['Início', 'menu'],
  ['inicio', 'menu'],
  ['atendente', 'atendente'],
  ['Humano.', 'atendente'],
  ['falar com atendente', 'atendente'],
  ['menu do dia', null],
  ['o atendente sumiu', null],
  ['', null],
] as const)('reads %j as command %s', (text, expected) => {
  expect(parseCommand(text)).toBe(expected)
})
