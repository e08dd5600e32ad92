import { SENHA_MINIMO } from '@balcao/contract/constants'
import { ApiError } from '#shared/api-client.ts'
import { TEXTOS } from '#shared/textos.ts'

export type Erros = Readonly<Partial<Record<'nome' | 'email' | 'setores' | 'senha' | 'geral', string | undefined>>>

export function conferir(
  { nome, email, senha }: { readonly nome: string; readonly email: string; readonly senha: string },
  comSenha: boolean,
): Erros {
  const faltaSenha = senha === '' ? TEXTOS.senhaObrigatoria : TEXTOS.senhaCurta
  return {
    ...(nome.trim() === '' ? { nome: TEXTOS.nomeObrigatorio } : {}),
    ...(email.trim() === '' ? { email: TEXTOS.emailObrigatorio } : {}),
    ...(comSenha && senha.length < SENHA_MINIMO ? { senha: faltaSenha } : {}),
  }
}

const CAMPOS = ['nome', 'email', 'setores', 'senha'] as const

/** Server errors by field. `setores.2` maps to `setores`: one text is enough. */
export function errosDe(erro: unknown): Erros {
  if (!(erro instanceof ApiError)) throw erro
  if (erro.codigo === 'emailJaCadastrado') return { email: erro.message }
  const detalhes = erro.dados.detalhes ?? []
  const achados = CAMPOS.flatMap((campo) => {
    const detalhe = detalhes.find(({ caminho }) => caminho === campo || caminho.startsWith(`${campo}.`))
    return detalhe === undefined ? [] : [[campo, detalhe.mensagem] as const]
  })
  return achados.length === 0 ? { geral: erro.message } : Object.fromEntries(achados)
}
