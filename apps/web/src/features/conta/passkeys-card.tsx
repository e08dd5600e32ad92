import type { Passkey } from '@balcao/contract/entities/identidade'
import { removerPasskeyRoute } from '@balcao/contract/routes/segundo-fator'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { formatDateTime } from '#shared/format.ts'
import { hasPasskeys } from '#shared/identity/has-passkeys.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { EmptyState, QueryState, Skeleton } from '#shared/ui/states.tsx'
import { EnrolPasskey } from './enrol.tsx'
import { RecoveryCodesDialog } from './recovery-codes.tsx'
import { usePasskeys, useRefetchSeguranca, useSegurancaAct } from './seguranca-queries.ts'

export function PasskeysCard() {
  const query = usePasskeys()
  const refetch = useRefetchSeguranca()
  const [adding, setAdding] = useState(false)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const remove = useSegurancaAct(
    (id: string) => call(removerPasskeyRoute, { params: { id } }),
    'Chave de acesso removida.',
  )
  const added = (fresh: readonly string[] | undefined): void => {
    setAdding(false)
    setCodes(fresh ?? null)
    notify.sucesso('Chave de acesso guardada.')
    refetch()
  }
  const add = hasPasskeys() && (
    <Button size="touch" onClick={() => setAdding(true)}>
      Adicionar
    </Button>
  )
  return (
    <Card heading="Chaves de acesso" actions={add}>
      <p className="mb-3 text-muted">Entre com a digital, o rosto ou o PIN do aparelho, sem digitar a senha.</p>
      <QueryState query={query} skeleton={<Skeleton className="h-16 w-full" />}>
        {(passkeys) => <PasskeyList passkeys={passkeys} onRemove={setRemoving} />}
      </QueryState>
      <Dialog open={adding} title="Adicionar chave de acesso" onClose={() => setAdding(false)}>
        <EnrolPasskey onDone={added} onCancel={() => setAdding(false)} />
      </Dialog>
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />
      <ConfirmDialog
        open={removing !== null}
        title={`Remover ${removing?.nome ?? ''}?`}
        confirmLabel="Remover"
        onConfirm={() => {
          if (removing !== null) remove.mutate(removing.id)
        }}
        onClose={() => setRemoving(null)}
      >
        Este aparelho deixa de entrar com a chave. Você ainda entra com a senha.
      </ConfirmDialog>
    </Card>
  )
}

function usedText({ criadaEm, ultimoUso }: Passkey): string {
  if (ultimoUso === null) return `Criada em ${formatDateTime(criadaEm)}. Ainda não foi usada.`
  return `Usada pela última vez em ${formatDateTime(ultimoUso)}.`
}

interface PasskeyListProps {
  readonly passkeys: readonly Passkey[]
  readonly onRemove: (passkey: Passkey) => void
}

function PasskeyList({ passkeys, onRemove }: PasskeyListProps) {
  if (passkeys.length === 0) {
    return (
      <EmptyState title="Nenhuma chave de acesso" icon={<KeyRound size={22} aria-hidden />}>
        {hasPasskeys() ? 'Adicione uma neste aparelho.' : 'Este navegador não tem chaves de acesso.'}
      </EmptyState>
    )
  }
  return (
    <ul aria-label="Chaves de acesso" className="divide-y divide-line border-t border-line">
      {passkeys.map((passkey) => (
        <li key={passkey.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
          <span className="min-w-40 flex-1">
            <span className="block font-semibold break-words">{passkey.nome}</span>
            <span className="block text-sm text-muted">{usedText(passkey)}</span>
          </span>
          <Button size="touch" aria-label={`Remover ${passkey.nome}`} onClick={() => onRemove(passkey)}>
            Remover
          </Button>
        </li>
      ))}
    </ul>
  )
}
