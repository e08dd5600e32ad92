import type { Setor } from '@balcao/contract/entities/config'
import type { Operador } from '@balcao/contract/entities/operador'
import { useQueryClient } from '@tanstack/react-query'
import { UserPlus, UsersRound } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useOnlineOperadores } from '#shared/data/presence.ts'
import { useSocketState } from '#shared/realtime/socket.ts'
import { Button } from '#shared/ui/button.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { EmptyState, QueryState, Skeleton } from '#shared/ui/states.tsx'
import { EquipePanelActions } from '#features/equipe/page-parts.tsx'
import { ConviteDialog, type NewConvite } from './convite-dialog.tsx'
import { OperadorDialog } from './operador-form.tsx'
import { OperadorItem } from './operador-item.tsx'
import { OPERADORES_KEY, useOperadorMutations, useOperadores } from './use-operadores.ts'
import { useSetores } from '#features/equipe/setores.tsx'

type OpenDialog =
  | { readonly tipo: 'convidar' }
  | { readonly tipo: 'editar' | 'desativar' | 'remover' | 'sessoes' | 'fator'; readonly operador: Operador }

function OperadoresSkeleton() {
  return (
    <div role="status" aria-label="Carregando a equipe" aria-busy="true" className="card divide-y">
      {[0, 1, 2].map((line) => (
        <div key={line} className="flex gap-3 p-4">
          <Skeleton className="size-11 flex-none rounded-full" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-1/3" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        </div>
      ))}
    </div>
  )
}

function summaryText(operadores: readonly Operador[], present: number | null): string {
  const people = operadores.length === 1 ? '1 pessoa' : `${operadores.length} pessoas`
  if (present === null) return people
  return `${people} · ${present === 0 ? 'ninguém' : present} no painel agora`
}

/** Refetches when an invited operador appears online: the password has been chosen. */
function useAcceptedConvites(operadores: readonly Operador[] | undefined, present: ReadonlySet<string>): void {
  const client = useQueryClient()
  const accepted = operadores?.some(({ id, convitePendente }) => convitePendente && present.has(id)) === true
  useEffect(() => {
    if (accepted) void client.invalidateQueries({ queryKey: OPERADORES_KEY })
  }, [accepted, client])
}

export function OperadoresPage() {
  const query = useOperadores()
  const setores = useSetores()
  const present = useOnlineOperadores()
  const connected = useSocketState().tipo === 'online'
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const [convite, setConvite] = useState<NewConvite | null>(null)
  useAcceptedConvites(query.data, present)
  const { activate, resend } = useOperadorMutations()
  const invite = (
    <Button variant="primary" size="touch" onClick={() => setOpen({ tipo: 'convidar' })}>
      <UserPlus size={18} aria-hidden /> Convidar pessoa
    </Button>
  )
  return (
    <>
      <QueryState drawCard query={query} skeleton={<OperadoresSkeleton />}>
        {(operadores) =>
          operadores.length === 0 ? (
            <div className="card">
              <EmptyState title="Só você atende" icon={<UsersRound size={22} aria-hidden />} action={invite}>
                Convide quem atende com você. Cada pessoa entra com o próprio e-mail e vê só o Atendimento.
              </EmptyState>
            </div>
          ) : (
            <>
              <EquipePanelActions>{invite}</EquipePanelActions>
              <p className="text-sm font-semibold text-muted">
                {summaryText(operadores, connected ? operadores.filter(({ id }) => present.has(id)).length : null)}
              </p>
              <ul aria-label="Pessoas da equipe" className="card divide-y">
                {operadores.map((operador) => (
                  <OperadorItem
                    key={operador.id}
                    operador={operador}
                    setores={setores}
                    online={connected ? present.has(operador.id) : null}
                    onResend={() => resend(operador, setConvite)}
                    onEdit={() => setOpen({ tipo: 'editar', operador })}
                    onDeactivate={() => setOpen({ tipo: 'desativar', operador })}
                    onActivate={() => void activate(operador, true)}
                    onRemove={() => setOpen({ tipo: 'remover', operador })}
                    onEndSessoes={() => setOpen({ tipo: 'sessoes', operador })}
                    onClearFactor={() => setOpen({ tipo: 'fator', operador })}
                  />
                ))}
              </ul>
            </>
          )
        }
      </QueryState>
      {open !== null && (
        <OperadorDialogs open={open} setores={setores} onClose={() => setOpen(null)} onInvited={setConvite} />
      )}
      {convite !== null && <ConviteDialog convite={convite} onClose={() => setConvite(null)} />}
    </>
  )
}

interface OperadorDialogsProps {
  readonly open: OpenDialog
  readonly setores: readonly Setor[]
  readonly onClose: () => void
  readonly onInvited: (convite: NewConvite) => void
}

function OperadorDialogs({ open, setores, onClose, onInvited }: OperadorDialogsProps) {
  const acts = useOperadorMutations()
  if (open.tipo === 'convidar' || open.tipo === 'editar') {
    return (
      <OperadorDialog
        operador={open.tipo === 'editar' ? open.operador : null}
        setores={setores}
        onClose={onClose}
        onInvited={onInvited}
      />
    )
  }
  const { tipo, operador } = open
  const { title, confirmLabel, text, run } = QUESTION[tipo]
  return (
    <ConfirmDialog
      open
      title={title(operador.nome)}
      confirmLabel={confirmLabel}
      onConfirm={() => run(acts, operador)}
      onClose={onClose}
    >
      {text}
    </ConfirmDialog>
  )
}

interface Question {
  readonly title: (nome: string) => string
  readonly confirmLabel: string
  readonly text: ReactNode
  readonly run: (acts: ReturnType<typeof useOperadorMutations>, operador: Operador) => Promise<void>
}

const QUESTION: Readonly<Record<'desativar' | 'remover' | 'sessoes' | 'fator', Question>> = {
  desativar: {
    title: (nome) => `Desativar ${nome}?`,
    confirmLabel: 'Desativar',
    text: 'A pessoa sai do painel na hora e não entra até você ativar de novo. As conversas que ela atende voltam para a fila do mesmo setor, sem perder o tempo de espera.',
    run: ({ activate }, operador) => activate(operador, false),
  },
  remover: {
    title: (nome) => `Remover ${nome} da equipe?`,
    confirmLabel: 'Remover',
    text: (
      <>
        <p>
          As conversas que a pessoa atende voltam para a fila do mesmo setor, sem perder o tempo de espera. O que ela já
          escreveu continua no histórico, com o nome dela.
        </p>
        <p className="mt-2">Não dá para desfazer: para voltar, será preciso um novo convite.</p>
      </>
    ),
    run: ({ remove }, operador) => remove(operador),
  },
  sessoes: {
    title: (nome) => `Encerrar as sessões de ${nome}?`,
    confirmLabel: 'Encerrar',
    text: 'A pessoa sai do painel em todos os aparelhos e precisa entrar de novo.',
    run: ({ endSessoes }, operador) => endSessoes(operador),
  },
  fator: {
    title: (nome) => `Remover o segundo fator de ${nome}?`,
    confirmLabel: 'Remover',
    text: 'Use se a pessoa perdeu o celular. O aplicativo, as chaves de acesso e os códigos deixam de valer, e ela sai do painel.',
    run: ({ clearFactor }, operador) => clearFactor(operador),
  },
}
