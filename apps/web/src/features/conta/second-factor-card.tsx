import type { SegurancaUsuario } from '@balcao/contract/entities/segundo-fator'
import { novosCodigosRoute, removerTotpRoute } from '@balcao/contract/routes/segundo-fator'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { EnrolTotp } from './enrol.tsx'
import { RecoveryCodesDialog } from './recovery-codes.tsx'
import { useSecondFactor } from '#shared/identity/use-second-factor.ts'
import { useRefetchSeguranca, useSegurancaAct } from './seguranca-queries.ts'

export function SecondFactorCard() {
  const query = useSecondFactor()
  return (
    <Card heading="Verificação em duas etapas">
      <QueryState query={query} skeleton={<Skeleton className="h-24 w-full" />}>
        {(seguranca) => <SecondFactor seguranca={seguranca} />}
      </QueryState>
    </Card>
  )
}

type OpenDialog = 'ligar' | 'desligar' | 'codigos' | null

function SecondFactor({ seguranca }: { seguranca: SegurancaUsuario }) {
  const [open, setOpen] = useState<OpenDialog>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const refetch = useRefetchSeguranca()
  const close = (): void => setOpen(null)
  const remove = useSegurancaAct(() => call(removerTotpRoute, {}), 'Aplicativo de códigos desligado.')
  const renew = useSegurancaAct(async () => {
    setCodes((await call(novosCodigosRoute, {})).recuperacao)
  }, 'Códigos novos prontos.')
  const show = (fresh: readonly string[]): void => {
    close()
    setCodes(fresh)
    refetch()
  }
  return (
    <div className="grid gap-4">
      <FactorState seguranca={seguranca} />
      <FactorActions seguranca={seguranca} busy={renew.isPending || remove.isPending} onOpen={setOpen} />
      <Dialog open={open === 'ligar'} title="Ligar o aplicativo de códigos" onClose={close}>
        <EnrolTotp onDone={show} />
      </Dialog>
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />
      <ConfirmDialog
        open={open === 'codigos'}
        title="Gerar códigos novos?"
        confirmLabel="Gerar"
        onConfirm={() => renew.mutate(undefined)}
        onClose={close}
      >
        Os códigos que você guardou deixam de valer.
      </ConfirmDialog>
      <ConfirmDialog
        open={open === 'desligar'}
        title="Desligar o aplicativo de códigos?"
        confirmLabel="Desligar"
        onConfirm={() => remove.mutate(undefined)}
        onClose={close}
      >
        A entrada deixa de pedir o código deste aplicativo.
      </ConfirmDialog>
    </div>
  )
}

interface FactorProps {
  readonly seguranca: SegurancaUsuario
}

function FactorState({ seguranca: { totp, passkeys, recuperacao, exigido } }: FactorProps) {
  const hasFactor = totp || passkeys > 0
  return (
    <>
      <p className="text-muted">
        Além da senha, a entrada pede um código do seu celular. Quem descobre a senha não entra.
        {exigido && ' Sua loja exige esta verificação.'}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <span className="font-semibold">Aplicativo de códigos</span>
        <Chip tone={totp ? 'verde' : 'cinza'}>{totp ? 'Ligado' : 'Desligado'}</Chip>
      </div>
      {hasFactor && (
        <p className={recuperacao < 3 ? 'font-semibold text-warn-ink' : ''}>
          {recuperacao === 1 ? 'Resta 1 código de recuperação.' : `Restam ${recuperacao} códigos de recuperação.`}
          {recuperacao < 3 && ' Gere códigos novos.'}
        </p>
      )}
    </>
  )
}

interface FactorActionsProps extends FactorProps {
  readonly busy: boolean
  readonly onOpen: (dialog: OpenDialog) => void
}

function FactorActions({ seguranca: { totp, passkeys }, busy, onOpen }: FactorActionsProps) {
  const hasFactor = totp || passkeys > 0
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant={totp ? 'outline' : 'primary'} size="touch" onClick={() => onOpen('ligar')}>
        {totp ? 'Trocar de celular' : 'Ligar'}
      </Button>
      {hasFactor && (
        <Button size="touch" busy={busy} onClick={() => onOpen('codigos')}>
          Gerar códigos novos
        </Button>
      )}
      {totp && (
        <Button variant="ghost" size="touch" disabled={busy} onClick={() => onOpen('desligar')}>
          Desligar
        </Button>
      )}
    </div>
  )
}
