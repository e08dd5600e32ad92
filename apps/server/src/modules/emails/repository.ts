import type { EmailEnviado } from '@balcao/contract/entities/admin'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { Page } from '#http/page.ts'
import { COM_SEGREDO, isComSegredo, RESERVA_MS, semSegredo, TENTATIVAS_MAXIMO, VALIDADE_MS } from './rules.ts'

/** Sealing context, which binds the text to its row. */
function lugar(id: string): string {
  return `emails|texto|${id}`
}

export function textoParaGuardar(
  { cofre }: Pick<Deps, 'cofre'>,
  mail: { id: string; tipo: string; texto: string },
): string {
  return isComSegredo(mail.tipo) ? cofre.seal(mail.texto, lugar(mail.id)) : mail.texto
}

function textoGuardado(
  { cofre, log }: Pick<Deps, 'cofre' | 'log'>,
  { id, texto }: { id: string; texto: string },
): string {
  if (!cofre.isSealed(texto)) return texto
  try {
    return cofre.open(texto, lugar(id))
  } catch (error) {
    // A mail sealed with a lost key must not break the list or the queue.
    log.warn({ err: error, emailId: id }, 'mail not opened, key changed')
    return ''
  }
}

export interface EmailDevido {
  readonly id: string
  readonly tipo: string
  readonly para: string
  readonly assunto: string
  readonly texto: string
  /** Includes the current attempt. */
  readonly tentativas: number
}

/** Reserves the due mails for this node until the reservation expires. */
export async function claimDue(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'cofre' | 'log'>,
  limite: number,
): Promise<EmailDevido[]> {
  const agora = deps.clock.now()
  const { notificacoesEmail } = await tx.kysely
    .selectFrom('configuracoesAdmin')
    .select('notificacoesEmail')
    .executeTakeFirstOrThrow()
  const linhas = await tx.kysely
    .updateTable('emails')
    .set((eb) => ({
      tentativas: eb('tentativas', '+', 1),
      proximaEm: new Date(agora.getTime() + RESERVA_MS),
    }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('emails')
        .select('id')
        .where('enviadoEm', 'is', null)
        .where('proximaEm', '<=', agora)
        .where((mail) =>
          mail.or(
            Object.entries(VALIDADE_MS).map(([tipo, validade]) =>
              mail.and([mail('tipo', '=', tipo), mail('criadoEm', '>', new Date(agora.getTime() - validade))]),
            ),
          ),
        )
        .where('tentativas', '<', TENTATIVAS_MAXIMO)
        .$if(!notificacoesEmail, (consulta) => consulta.where('tipo', 'in', COM_SEGREDO))
        .orderBy('proximaEm')
        .limit(limite)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'tipo', 'para', 'assunto', 'texto', 'tentativas'])
    .execute()
  return linhas.map((linha) => ({ ...linha, texto: textoGuardado(deps, linha) }))
}

/** Removes the link from the stored text after delivery. */
export async function markSent(tx: Tx, mail: EmailDevido, enviadoEm: Date): Promise<void> {
  await tx.kysely
    .updateTable('emails')
    .set({ enviadoEm, erro: null, ...(isComSegredo(mail.tipo) ? { texto: semSegredo(mail.texto) } : {}) })
    .where('id', '=', mail.id)
    .execute()
}

export async function markFailed(tx: Tx, id: string, erro: string, proximaEm: Date): Promise<void> {
  await tx.kysely.updateTable('emails').set({ erro, proximaEm }).where('id', '=', id).execute()
}

/** Links are shown only without a mail server, because the administrator then delivers them by hand. */
export async function listEmails(
  tx: Tx,
  deps: Pick<Deps, 'cofre' | 'log' | 'mailer'>,
  { limite, antesDe }: Page,
): Promise<EmailEnviado[]> {
  const linhas = await tx.kysely
    .selectFrom('emails')
    .select(['id', 'para', 'assunto', 'texto', 'criadoEm', 'enviadoEm', 'erro'])
    .$if(antesDe !== null, (consulta) => consulta.where('id', '<', antesDe))
    .orderBy('id', 'desc')
    .limit(limite + 1)
    .execute()
  return linhas.map((linha) => {
    const texto = textoGuardado(deps, linha)
    return {
      id: linha.id,
      para: linha.para,
      assunto: linha.assunto,
      texto: deps.mailer.configurado ? semSegredo(texto) : texto,
      criadoEm: linha.criadoEm.toISOString(),
      ...(linha.enviadoEm === null ? {} : { enviadoEm: linha.enviadoEm.toISOString() }),
      ...(linha.erro === null ? {} : { erro: linha.erro }),
    }
  })
}
