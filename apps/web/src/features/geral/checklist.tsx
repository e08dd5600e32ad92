import { Check, Circle, CircleCheck, Sparkles } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from '@tanstack/react-router'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { VersionedConfig } from '@balcao/contract/entities/config'
import { notify } from '#shared/avisos.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { CONNECTORS } from '@balcao/contract/connectors'
import type { Aba } from '@balcao/contract/constants'
import { defaultMenu } from '@balcao/contract/defaults'

const ConnectDialog = lazy(async () => ({
  default: (await import('#shared/conexao/connect-dialog.tsx')).ConnectDialog,
}))

function StepContent({ passo }: { passo: FirstStep }) {
  return (
    <>
      {passo.done ? (
        <Check aria-hidden className="mt-0.5 size-4.5 flex-none" />
      ) : (
        <Circle aria-hidden className="mt-0.5 size-4.5 flex-none text-muted" />
      )}
      <span>
        {passo.title}
        <span className="sr-only">{passo.done ? ' (concluído)' : ' (falta fazer)'}</span>
      </span>
    </>
  )
}

const BOX_CLASS =
  'flex h-full min-h-11 items-start gap-2.5 rounded-[10px] border p-3 text-sm font-semibold leading-snug'
const OPEN_CLASS = `${BOX_CLASS} border-line-strong/50 hover:border-brand hover:bg-sunken`

function focusSelector(seletor: string): void {
  const alvo = document.querySelector(seletor)
  if (!(alvo instanceof HTMLElement)) return
  alvo.scrollIntoView({ block: 'center' })
  alvo.focus({ preventScroll: true })
}

interface OpenStepProps {
  readonly passo: FirstStep
  readonly destino: StepTarget
  readonly onConectar: () => void
}

function OpenStep({ passo, destino, onConectar }: OpenStepProps) {
  switch (destino.tipo) {
    case 'conectar':
      return (
        <button type="button" className={`${OPEN_CLASS} w-full text-left`} onClick={onConectar}>
          <StepContent passo={passo} />
        </button>
      )
    case 'aba':
      return (
        <Link to="/dashboard" search={{ aba: destino.aba }} className={OPEN_CLASS}>
          <StepContent passo={passo} />
        </Link>
      )
    case 'pagina':
      return (
        <Link to={destino.href} className={OPEN_CLASS}>
          <StepContent passo={passo} />
        </Link>
      )
    case 'elemento':
      return (
        <button
          type="button"
          className={`${OPEN_CLASS} w-full text-left`}
          onClick={() => focusSelector(destino.seletor)}
        >
          <StepContent passo={passo} />
        </button>
      )
  }
}

interface FirstStepsProps {
  readonly passos: readonly FirstStep[]
  readonly onDispensar: () => void
  readonly onConectar: () => void
}

function FirstSteps({ passos, onDispensar, onConectar }: FirstStepsProps) {
  const feitos = passos.filter((step) => step.done).length
  return (
    <section aria-labelledby="primeiros-passos" className="card p-4 sm:p-5">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 id="primeiros-passos" className="text-lg font-bold">
          Primeiros passos
        </h2>
        <p className="text-sm text-muted">
          {feitos} de {passos.length} concluídos
        </p>
        <span className="-mr-2 ml-auto flex gap-1">
          <Link to="/ajuda/{-$tema}" params={{ tema: 'primeiros-passos' }} className="btn btn-ghost btn-sm text-muted">
            Ver no manual
          </Link>
          <Button variant="ghost" size="sm" className="text-muted" onClick={onDispensar}>
            Dispensar
          </Button>
        </span>
      </div>
      <ol className="mt-4 grid gap-2 sm:grid-cols-2 xl:grid-cols-6">
        {passos.map((step) => (
          <li key={step.id}>
            {step.done || step.target === undefined ? (
              <span className={`${BOX_CLASS} border-transparent bg-brand-soft text-brand-ink`}>
                <StepContent passo={step} />
              </span>
            ) : (
              <OpenStep passo={step} destino={step.target} onConectar={onConectar} />
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

function useDismissal(oQue: string) {
  const { contaId } = useUsuario()
  const key = `${oQue}:${contaId}`
  const [dispensado, setDispensado] = useState(() => localStorage.getItem(key) !== null)
  const dispensar = (text: string): void => {
    localStorage.setItem(key, 'sim')
    setDispensado(true)
    const undo = (): void => {
      localStorage.removeItem(key)
      setDispensado(false)
    }
    notify.info(text, { action: { label: 'Desfazer', run: undo } })
  }
  return { dispensado, dispensar }
}

interface ChecklistProps {
  readonly config: VersionedConfig
  readonly bot: BotStatus
  readonly mensagensNoMes: number
}

function AllDone() {
  return (
    <p role="status" className="flex items-center gap-2 text-sm font-semibold text-brand-ink">
      <CircleCheck aria-hidden className="size-4.5" /> Tudo pronto: seu balcão está atendendo.
    </p>
  )
}

export function Checklist({ config, bot, mensagensNoMes }: ChecklistProps) {
  const lista = useDismissal('passos-dispensados')
  const steps = firstStepsOf({ config, bot, mensagensNoMes })
  const complete = steps.every((step) => step.done)
  const [connecting, setConnecting] = useState(false)
  const [viuIncompleta, setViuIncompleta] = useState(!complete)
  if (!complete && !viuIncompleta) setViuIncompleta(true)

  return (
    <>
      {!complete && !lista.dispensado && (
        <FirstSteps
          passos={steps}
          onDispensar={() => lista.dispensar('Primeiros passos dispensados.')}
          onConectar={() => setConnecting(true)}
        />
      )}
      {complete && viuIncompleta && !lista.dispensado && <AllDone />}
      {complete && !config.ia.ativa && <IaSuggestion />}
      <Suspense>{connecting && <ConnectDialog onClose={() => setConnecting(false)} />}</Suspense>
    </>
  )
}

function IaSuggestion() {
  const { tipo, componentesPermitidos } = useUsuario()
  const { dispensado, dispensar } = useDismissal('sugestao-ia-dispensada')
  if (dispensado || (tipo !== 'admin' && !componentesPermitidos.iaChatbot)) return null
  return (
    <section
      aria-labelledby="sugestao-da-ia"
      className="card flex flex-wrap items-center gap-x-4 gap-y-3 p-4 sm:flex-nowrap sm:px-5"
    >
      <span className="grid size-10 flex-none place-items-center rounded-full bg-brand-soft text-brand-ink">
        <Sparkles aria-hidden className="size-5" />
      </span>
      <div className="min-w-48 flex-1">
        <h2 id="sugestao-da-ia" className="font-bold">
          Que tal uma assistente de IA?
        </h2>
        <p className="text-sm text-muted">
          Ela responde o que não está no menu, com o que você ensinar, e chama um atendente quando for preciso.
        </p>
      </div>
      <div className="flex gap-1 max-sm:w-full max-sm:*:flex-1">
        <Button variant="ghost" onClick={() => dispensar('Sugestão dispensada.')}>
          Agora não
        </Button>
        <Link to="/dashboard" search={{ aba: 'ia' }} className="btn btn-outline">
          Conhecer a IA
        </Link>
      </div>
    </section>
  )
}

type StepTarget =
  | { readonly tipo: 'aba'; readonly aba: Aba }
  | { readonly tipo: 'elemento'; readonly seletor: string }
  | { readonly tipo: 'pagina'; readonly href: '/simulador' }
  | { readonly tipo: 'conectar' }

interface FirstStep {
  readonly id: 'conta' | 'clientId' | 'conectar' | 'menu' | 'teste' | 'whatsapp'
  readonly title: string
  readonly done: boolean
  readonly target?: StepTarget
}

interface FirstStepsInput {
  readonly config: VersionedConfig
  readonly bot: BotStatus
  readonly mensagensNoMes: number
}

function isMenuCustomized(config: VersionedConfig): boolean {
  const padrao = defaultMenu()
  const { menuPrincipal, opcoes, mensagens } = config.menu
  return (
    menuPrincipal !== padrao.menuPrincipal ||
    JSON.stringify(opcoes) !== JSON.stringify(padrao.opcoes) ||
    JSON.stringify(mensagens) !== JSON.stringify(padrao.mensagens)
  )
}

/** The first step is always done: only approved accounts reach this page. */
function firstStepsOf({ config, bot, mensagensNoMes }: FirstStepsInput): readonly FirstStep[] {
  const simulador = CONNECTORS[config.whatsapp.conector].pairing === 'simulated'
  const connected = bot.status === 'CONECTADO'
  return [
    { id: 'conta', title: 'Conta aprovada', done: true },
    {
      id: 'clientId',
      title: 'Informe o Client ID',
      done: config.whatsapp.clientId.trim() !== '',
      target: { tipo: 'elemento', seletor: '[name=clientId]' },
    },
    {
      id: 'conectar',
      title: simulador ? 'Inicie o bot e conecte o simulador' : 'Inicie o bot e escaneie o QR Code',
      done: connected || bot.conectadoComo !== undefined,
      target: { tipo: 'elemento', seletor: '#status-do-bot, #linhas' },
    },
    {
      id: 'menu',
      title: 'Personalize o menu',
      done: isMenuCustomized(config),
      target: { tipo: 'aba', aba: 'mensagens' },
    },
    {
      id: 'teste',
      title: 'Faça um atendimento de teste',
      done: mensagensNoMes > 0 || bot.conversasAtivas.length > 0,
      target: simulador ? { tipo: 'pagina', href: '/simulador' } : { tipo: 'aba', aba: 'atendimento' },
    },
    { id: 'whatsapp', title: 'Conecte o WhatsApp da loja', done: !bot.modoTeste, target: { tipo: 'conectar' } },
  ]
}
