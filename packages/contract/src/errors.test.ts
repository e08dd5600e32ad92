import { describe, expect, it } from 'vitest'
import { ERROS, errorBodySchema } from './errors.ts'

describe('ERROS', () => {
  it.each([
    ['credenciaisInvalidas', 401, 'E-mail ou senha incorretos'],
    ['contaPendente', 403, 'Sua conta aguarda aprovação do administrador.'],
    ['contaInativa', 403, 'Sua conta está inativa.'],
    ['emailJaCadastrado', 409, 'Este e-mail já está cadastrado'],
    ['clientIdObrigatorio', 400, 'Configure o Client ID antes de iniciar o bot'],
    ['limiteDiario', 429, 'Limite diário de mensagens atingido!'],
    ['imagemInvalida', 400, 'Apenas arquivos de imagem são permitidos'],
    ['imagemGrande', 413, 'Imagem deve ter no máximo 5MB'],
    ['iaSemChave', 400, 'Configure uma API Key válida primeiro'],
  ] as const)('maps %s to status %i and its exact Portuguese message', (code, status, erro) => {
    expect(ERROS[code]).toEqual({ status, erro })
  })

  it('answers 401 only for a missing session and a wrong login', () => {
    const codes = Object.entries(ERROS).filter(([, { status }]) => status === 401)
    expect(codes.map(([code]) => code).toSorted()).toEqual(['credenciaisInvalidas', 'semSessao'])
  })

  it('keeps the numbers of the daily limit and drops unknown fields from the body', () => {
    const body = { erro: 'x', codigo: 'limiteDiario', usado: 1000, limite: 1000, resetEm: '2026-03-03T03:00:00.000Z' }
    expect(errorBodySchema.parse({ ...body, pilha: 'segredo' })).toEqual(body)
  })
})
