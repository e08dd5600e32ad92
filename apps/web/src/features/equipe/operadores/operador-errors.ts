import { SENHA_MINIMO } from '@balcao/contract/constants'
import { ApiError } from '#shared/api-client.ts'
import { TEXTS } from '#shared/texts.ts'

export type OperadorErrors = Readonly<
  Partial<Record<'nome' | 'email' | 'setores' | 'senha' | 'geral', string | undefined>>
>

export function checkOperador(
  { nome, email, senha }: { readonly nome: string; readonly email: string; readonly senha: string },
  withSenha: boolean,
): OperadorErrors {
  const faltaSenha = senha === '' ? TEXTS.senhaObrigatoria : TEXTS.senhaCurta
  return {
    ...(nome.trim() === '' ? { nome: TEXTS.nomeObrigatorio } : {}),
    ...(email.trim() === '' ? { email: TEXTS.emailObrigatorio } : {}),
    ...(withSenha && senha.length < SENHA_MINIMO ? { senha: faltaSenha } : {}),
  }
}

const FIELDS = ['nome', 'email', 'setores', 'senha'] as const

/** Server errors by field. `setores.2` maps to `setores`: one text is enough. */
export function operadorErrorsOf(error: unknown): OperadorErrors {
  if (!(error instanceof ApiError)) throw error
  if (error.codigo === 'emailJaCadastrado') return { email: error.message }
  const details = error.dados.detalhes ?? []
  const found = FIELDS.flatMap((field) => {
    const detail = details.find(({ caminho }) => caminho === field || caminho.startsWith(`${field}.`))
    return detail === undefined ? [] : [[field, detail.mensagem] as const]
  })
  return found.length === 0 ? { geral: error.message } : Object.fromEntries(found)
}
