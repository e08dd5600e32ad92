import { SENHA_MINIMO } from '@balcao/contract/constants'
import { TEXTOS } from '#shared/textos.ts'
import { recusar, texto, type Recusa } from './use-envio.ts'

export const CAMPOS_DO_CADASTRO = ['nome', 'email', 'telefone', 'empresa', 'senha'] as const

export interface CadastroPreenchido {
  readonly nome: string
  readonly email: string
  readonly telefone: string
  readonly empresa: string
  readonly senha: string
}

export function readCadastro(dados: FormData): CadastroPreenchido {
  return {
    nome: texto(dados, 'nome').trim(),
    email: texto(dados, 'email').trim(),
    telefone: texto(dados, 'telefone').replace(/\D/g, ''),
    empresa: texto(dados, 'empresa').trim(),
    senha: texto(dados, 'senha'),
  }
}

/** Returns the first error in field order, or null. Only the server validates the e-mail address. */
export function checkCadastro(dados: FormData): Recusa | null {
  const cadastro = readCadastro(dados)
  if (cadastro.nome === '') return recusar('nome', TEXTOS.nomeObrigatorio)
  if (cadastro.email === '') return recusar('email', TEXTOS.emailObrigatorio)
  const senha = checkSenhas(dados)
  if (senha !== null) return senha
  return dados.has('termos') ? null : recusar('termos', TEXTOS.aceiteTermos)
}

export function checkSenhas(dados: FormData): Recusa | null {
  const senha = texto(dados, 'senha')
  if (senha.length < SENHA_MINIMO) return recusar('senha', TEXTOS.senhaCurta)
  if (senha !== texto(dados, 'confirmarSenha')) return recusar('confirmarSenha', TEXTOS.senhasDiferentes)
  return null
}
