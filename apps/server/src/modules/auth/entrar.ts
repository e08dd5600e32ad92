import type { Usuario } from '@balcao/contract/entities/usuario'
import { type CodigoErro, ERROS } from '@balcao/contract/errors'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type NovoAto, type Quem, registrarAuditoria } from '#modules/auditoria/index.ts'
import { hashSenha, isSenhaAntiga } from '#security/senha.ts'
import { checkSenha } from './conferir-senha.ts'
import { SEM_CONTA } from './sem-conta.ts'
import { insertSessao } from './sessoes.ts'
import { findUsuario, isContaAtiva, toUsuario, type UsuarioLido, updateSenha } from './usuario.ts'

export interface Entrada {
  readonly email: string
  readonly senha: string
  readonly lembrar: boolean
  readonly ip: string
  readonly agente: string
}

export interface Entrou {
  readonly token: string
  readonly usuario: Usuario
  readonly expiraEm: string
}

/**
 * Creates a session for an active usuario with the right password. Throws `credenciaisInvalidas`,
 * `muitasTentativas` and, only after a right password, `contaPendente` or `contaInativa`.
 */
export async function entrar(deps: Pick<Deps, 'db' | 'ids' | 'clock'>, entrada: Entrada): Promise<Entrou> {
  const lido = await deps.db.transaction(SEM_CONTA, (tx) => findUsuario(tx, { email: entrada.email }))
  const confere = await checkSenha(deps, lido?.senhaHash ?? null, entrada)
  if (!confere || lido === null || lido.senhaHash === null) {
    await recordRefusal(deps, entrada, lido, 'Senha errada ou e-mail desconhecido')
    throw new AppError('credenciaisInvalidas')
  }
  const novoHash = isSenhaAntiga(lido.senhaHash) ? await hashSenha(entrada.senha) : null

  const entrou = await deps.db.transaction(SEM_CONTA, async (tx) => {
    // The row lock orders this login against a deactivation or password change, which otherwise would miss the new
    // session.
    const usuario = await findUsuario(tx, { id: lido.id }, { lock: true })
    if (usuario === null || usuario.senhaHash !== lido.senhaHash) throw new AppError('credenciaisInvalidas')
    const recusa = await refusal(tx, usuario)
    if (recusa !== null) return { recusa }
    if (novoHash !== null) await updateSenha(tx, usuario.id, novoHash)
    await registrarAuditoria(tx, deps, { acao: 'entrar', quem: quemEntra(entrada, usuario) })
    const { token, expiraEm } = await insertSessao(tx, deps, { usuarioId: usuario.id, ...entrada })
    return { recusa: null, token, usuario: toUsuario(usuario), expiraEm: expiraEm.toISOString() }
  })
  if (entrou.recusa === null) return entrou
  await recordRefusal(deps, entrada, lido, ERROS[entrou.recusa].erro)
  throw new AppError(entrou.recusa)
}

function quemEntra({ email, ip }: Entrada, lido: UsuarioLido | null): Quem {
  return lido === null
    ? { usuarioId: null, nome: '', email, ip }
    : { usuarioId: lido.id, contaId: lido.contaId, nome: lido.nome, email: lido.email, ip }
}

async function recordRefusal(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  entrada: Entrada,
  lido: UsuarioLido | null,
  detalhe: string,
): Promise<void> {
  const ato: NovoAto = { acao: 'entrar', quem: quemEntra(entrada, lido), resultado: 'recusado', detalhe }
  await deps.db.transaction(SEM_CONTA, (tx) => registrarAuditoria(tx, deps, ato))
}

async function refusal(tx: Tx, usuario: UsuarioLido): Promise<CodigoErro | null> {
  switch (usuario.status) {
    case 'pendente':
      return 'contaPendente'
    case 'inativo':
      return 'contaInativa'
    case 'ativo':
      return (await isContaAtiva(tx, usuario.contaId)) ? null : 'contaInativa'
    default:
      return usuario.status satisfies never
  }
}
