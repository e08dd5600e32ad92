import { hasBotSession } from '@balcao/contract/bot-status'
import { CONNECTORS, type ConnectorRow } from '@balcao/contract/connectors'
import type { Setor } from '@balcao/contract/entities/config'
import type { Linha } from '@balcao/contract/entities/linha'
import { EllipsisVertical, Eraser, KeyRound, MessageCircle, Pencil, Play, Square, Star, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { BOT_STATUS_LABELS, statusTone } from '#shared/data/status-labels.ts'
import { PairingHelp } from '#shared/conexao/pairing-help.tsx'
import { QrCodeView } from '#shared/conexao/qr-code.tsx'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { Menu, type MenuItem } from '#shared/ui/menu.tsx'
import { SetorDot, SetorNameChip } from '#shared/ui/setor-chip.tsx'
import { ActivateButton } from './activate-button.tsx'
import { ClearSessionQuestion, RelinkQuestion } from './line-questions.tsx'
import { explainLine } from './line-status.ts'
import { type LineSession, useMainSession } from './session-acts.ts'
import { useOtherSession } from './use-line-session.ts'

const ConnectSimulador = lazy(async () => ({
  default: (await import('#features/geral/bot/connect-simulador.tsx')).ConnectSimulador,
}))
const SiteSummary = lazy(async () => ({ default: (await import('./webchat/site-summary.tsx')).SiteSummary }))

/** Dialogs of one line. */
export type LinhaAct = 'editar' | 'principal' | 'excluir' | 'chat' | 'chaves'

/** The open dialog. The line is read from the list, which may change meanwhile. */
export type OpenLinhaDialog = { readonly act: 'criar' } | { readonly act: LinhaAct; readonly id: string }

interface LinhaCardProps {
  readonly linha: Linha
  readonly setores: readonly Setor[]
  /** The main line does not start without the Client ID of the account. */
  readonly hasClientId: boolean
  /** Operators start and stop a line, but do not change it. */
  readonly owner: boolean
  readonly onAct: (act: LinhaAct) => void
}

export function LinhaCard(props: LinhaCardProps) {
  return props.linha.principal ? <MainCard {...props} /> : <OtherCard {...props} />
}

function MainCard(props: LinhaCardProps) {
  return <CardBody {...props} session={useMainSession()} />
}

function OtherCard(props: LinhaCardProps) {
  return <CardBody {...props} session={useOtherSession(props.linha)} />
}

type CardBodyProps = LinhaCardProps & { readonly session: LineSession }

function CardBody(props: CardBodyProps) {
  const { linha, session } = props
  const { text, fix } = explainLine(linha, session)
  const { pairing } = CONNECTORS[linha.conector]
  return (
    <li className="card flex min-w-0 flex-col gap-3 p-4 sm:p-5">
      <CardHead {...props} />
      <div role="status" className="text-sm">
        <p className="text-muted">{text}</p>
        {fix !== undefined && <p className="mt-1 font-semibold">{fix}</p>}
      </div>
      <Pairing linha={linha} session={session} />
      {pairing === 'site' && (
        <Suspense>
          <SiteSummary linhaId={linha.id} />
        </Suspense>
      )}
      <div className="flex flex-wrap items-center gap-2 pt-1">
        <CardButtons {...props} />
      </div>
    </li>
  )
}

function CardButtons(props: CardBodyProps) {
  const { linha, owner, onAct } = props
  const { pairing } = CONNECTORS[linha.conector]
  const name = <span className="sr-only"> de {linha.nome}</span>
  return (
    <>
      {!linha.ativa && owner && <ActivateButton linha={linha} />}
      {linha.ativa && pairing !== 'site' && <StartStop {...props} />}
      {pairing === 'site' && (
        <Button onClick={() => onAct('chat')}>
          <MessageCircle aria-hidden className="size-4" /> Configurar o chat{name}
        </Button>
      )}
      {pairing === 'none' && (
        <Button onClick={() => onAct('chaves')}>
          <KeyRound aria-hidden className="size-4" /> Dados da API oficial{name}
        </Button>
      )}
    </>
  )
}

function CardHead({ linha, setores, session, owner, onAct }: CardBodyProps) {
  const { nome, cor, conector, principal, ativa } = linha
  const { status, conectadoComo } = session.state
  const setor = setores.find(({ id }) => id === linha.setor)
  // The chat and the simulator connect under their own names.
  const linked = conectadoComo !== undefined && !['site', 'simulated'].includes(CONNECTORS[conector].pairing)
  return (
    <div className="flex items-start gap-3">
      <SetorDot cor={cor} className="mt-1.5 size-3 flex-none" />
      <div className="min-w-0 flex-1">
        <h3 className="font-bold break-words">{nome}</h3>
        <p className="text-sm break-words text-muted">
          {CONNECTORS[conector].label}
          {linked && <span className="tabular-nums"> · {conectadoComo}</span>}
        </p>
        <p className="mt-2 flex flex-wrap gap-1.5">
          {ativa ? (
            <Chip tone={session.known ? statusTone(status) : 'cinza'} dot>
              {session.known ? BOT_STATUS_LABELS[status] : 'Desconhecido'}
            </Chip>
          ) : (
            <Chip>Desativada</Chip>
          )}
          {principal && <Chip tone="azul">Principal</Chip>}
          {setor !== undefined && <SetorNameChip setor={setor} />}
        </p>
      </div>
      <CardMenu {...{ linha, session, owner, onAct }} />
    </div>
  )
}

const ICON_CLASS = 'size-4 flex-none'
const LINKS_PHONE: readonly ConnectorRow['pairing'][] = ['code', 'browser', 'simulated']

function CardMenu({ linha, session, owner, onAct }: Pick<CardBodyProps, 'linha' | 'session' | 'owner' | 'onAct'>) {
  const [asking, setAsking] = useState(false)
  const { nome, principal, conector, ativa } = linha
  const { pairing } = CONNECTORS[conector]
  const editItem: MenuItem = {
    label: 'Editar',
    icon: <Pencil aria-hidden className={ICON_CLASS} />,
    run: () => onAct('editar'),
  }
  const clearItem: MenuItem = {
    label: 'Limpar Sessão',
    icon: <Eraser aria-hidden className={ICON_CLASS} />,
    run: () => setAsking(true),
  }
  const otherItems: MenuItem[] = [
    {
      label: 'Tornar principal',
      icon: <Star aria-hidden className={ICON_CLASS} />,
      refusal: mainRefusal(pairing === 'site', ativa),
      run: () => onAct('principal'),
    },
    {
      label: 'Excluir',
      icon: <Trash2 aria-hidden className={ICON_CLASS} />,
      danger: true,
      run: () => onAct('excluir'),
    },
  ]
  const items = [
    ...(owner ? [editItem] : []),
    ...(LINKS_PHONE.includes(pairing) ? [clearItem] : []),
    ...(owner && !principal ? otherItems : []),
  ]
  if (items.length === 0) return null
  return (
    <>
      <Menu
        label={`Mais ações de ${nome}`}
        className="btn btn-ghost btn-icon -mt-1.5 -mr-2"
        button={<EllipsisVertical aria-hidden className="size-5" />}
        items={items}
      />
      <ClearSessionQuestion nome={nome} open={asking} onConfirm={session.clear} onClose={() => setAsking(false)} />
    </>
  )
}

function mainRefusal(isSite: boolean, ativa: boolean): string | undefined {
  if (isSite) return 'O chat no site não pode ser a principal'
  return ativa ? undefined : 'Ative a linha antes'
}

function StartStop({ linha, session, hasClientId }: CardBodyProps) {
  const [asking, setAsking] = useState(false)
  const { state, busy, start, stop, relink } = session
  const machineOff = state.motivo === 'maquinaFora'
  const name = <span className="sr-only"> de {linha.nome}</span>
  if (hasBotSession(state.status)) {
    return (
      <Button variant="danger" busy={busy} onClick={() => void stop()}>
        {!busy && <Square aria-hidden className="size-4" />} Parar bot{name}
      </Button>
    )
  }
  const blocked = linha.principal && !hasClientId
  return (
    <>
      <Button
        variant="primary"
        busy={busy}
        disabled={blocked}
        onClick={() => (machineOff ? setAsking(true) : void start())}
      >
        {!busy && <Play aria-hidden className="size-4" />} {machineOff ? 'Conectar em outra máquina' : 'Iniciar bot'}
        {name}
      </Button>
      {blocked && <p className="text-sm text-muted">Informe o Client ID abaixo e salve para poder iniciar.</p>}
      <RelinkQuestion
        // The machine may return meanwhile. Then the link works and must not be given up.
        open={asking && machineOff}
        onConfirm={relink}
        onClose={() => setAsking(false)}
      />
    </>
  )
}

/** The QR code with its instructions, while the line waits for a phone. */
function Pairing({ linha, session }: Pick<CardBodyProps, 'linha' | 'session'>) {
  const { state, refresh } = session
  if (state.qrCode === null || state.status !== 'AGUARDANDO_QR') return null
  const linhaId = linha.principal ? undefined : linha.id
  if (state.modoTeste) {
    return (
      <Suspense>
        <ConnectSimulador linhaId={linhaId} onConnected={refresh} />
      </Suspense>
    )
  }
  return (
    <div className="grid gap-3">
      <QrCodeView text={state.qrCode} expiraEm={state.qrExpiraEm} onExpired={() => void refresh()} />
      <PairingHelp conector={linha.conector} linhaId={linhaId} />
    </div>
  )
}
