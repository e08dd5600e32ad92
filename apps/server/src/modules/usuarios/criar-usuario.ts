import type { Plano } from '@balcao/contract/constants'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { Deps } from '#deps.ts'
import { criarConta } from '#modules/auth/index.ts'
import { enqueueMail, textoContaAtivada } from '#modules/emails/index.ts'
import { hashSenha } from '#security/senha.ts'
import { getUsuarioAdmin, toUsuarioAdmin } from './repository.ts'

interface NovoUsuario {
  readonly nome: string
  readonly email: string
  readonly senha: string
  readonly telefone: string
  readonly empresa: string
  readonly plano?: Plano | undefined
  readonly tipo?: 'admin' | 'usuario' | undefined
}

/** Active at once: the administrator's creation is the approval. Throws `emailJaCadastrado`. */
export async function criarUsuario(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'cofre' | 'settings'>,
  novo: NovoUsuario,
): Promise<UsuarioAdmin> {
  const { plano, tipo = 'usuario', senha, ...pessoa } = novo
  const senhaHash = await hashSenha(senha)
  const contaId = deps.ids.uuid()
  return deps.db.transaction(contaId, async (tx) => {
    const id = await criarConta(tx, deps, {
      ...pessoa,
      contaId,
      senhaHash,
      tipo,
      status: 'ativo',
      ...(plano === undefined ? {} : { plano }),
    })
    const carta = textoContaAtivada({ nome: pessoa.nome, urlPublica: deps.settings.urlPublica })
    await enqueueMail(tx, deps, { tipo: 'ativacao', para: pessoa.email, contaId, ...carta })
    return toUsuarioAdmin(await getUsuarioAdmin(tx, deps.clock.now(), id))
  })
}
