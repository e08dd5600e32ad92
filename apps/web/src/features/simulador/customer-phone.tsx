import { Link } from '@tanstack/react-router'
import { PlugZap } from 'lucide-react'
import { useConfig } from '#shared/data/config/use-config.ts'
import { useUsuario } from '#shared/session.tsx'
import { type SimuladorCustomer, isValidPhone, isSameContato } from './simulated-customers.ts'
import { SimuladorComposer } from './simulador-composer.tsx'
import { SimuladorChat } from './simulador-chat.tsx'
import type { SimulatedLine, SimulatedSession } from './simulated-line.ts'
import { useSimuladorChat } from './use-simulador-chat.ts'
import { digitandoSimuladoRoute } from '@balcao/contract/routes/simulador'
import { call } from '#shared/api-client.ts'
import type { BotStatus } from '@balcao/contract/entities/bot-status'

interface CustomerPhoneProps {
  readonly cliente: SimuladorCustomer
  readonly line: SimulatedLine
  readonly session: SimulatedSession
  readonly onWrote: () => void
}

export function CustomerPhone({ cliente, line, session, onWrote }: CustomerPhoneProps) {
  const valid = isValidPhone(cliente.telefone)
  const conversa = useSimuladorChat(cliente, line, valid)
  const { config } = useConfig()
  const name = cliente.nome.trim() === '' ? 'Cliente' : cliente.nome.trim()
  return (
    <section
      aria-label={`Celular de ${name}`}
      className="flex w-full flex-[1_1_0px] flex-col overflow-clip rounded-card border border-line bg-surface shadow-card lg:sticky lg:top-6 lg:mx-auto lg:h-[calc(100dvh-6.5rem)] lg:min-h-[30rem] lg:max-h-[54rem] lg:max-w-[27rem] lg:flex-none lg:rounded-[2.2rem] lg:border-[7px] lg:border-[oklch(0.23_0.022_168)] lg:shadow-pop lg:dark:border-line"
    >
      <PhoneHeader telefone={cliente.telefone} bot={session.bot} />
      <SimuladorChat conversa={conversa} nome={name} />
      <OfflineNotice session={session} />
      <SimuladorComposer
        disabled={!valid}
        opcoes={config?.menu.opcoes ?? []}
        onType={() => notifyCustomerTyping(line, cliente.telefone)}
        onSend={(message) => {
          onWrote()
          conversa.send(message)
        }}
      />
    </section>
  )
}

function PhoneHeader({ telefone, bot }: { telefone: string; bot: BotStatus }) {
  const { empresa } = useUsuario()
  const name = empresa.trim() === '' ? 'Sua empresa' : empresa
  return (
    <div className="flex items-center gap-3 border-b border-line px-3 py-2">
      <span
        aria-hidden
        className="grid size-9 flex-none place-items-center rounded-full bg-brand font-bold text-on-brand"
      >
        {name.trim().slice(0, 1).toUpperCase()}
      </span>
      <div className="min-w-0 leading-tight">
        <p className="truncate font-bold">{name}</p>
        <p className="truncate text-xs text-muted">{customerStage(bot, telefone)}</p>
      </div>
    </div>
  )
}

function OfflineNotice({ session: { bot, known } }: { session: SimulatedSession }) {
  if (!known || (bot.isRunning && bot.motivo !== 'manutencao')) return null
  return (
    <p
      role="status"
      className="flex items-start gap-2 bg-warn-soft px-3 py-2 text-sm font-semibold text-warn-ink lg:px-4"
    >
      <PlugZap size={16} aria-hidden className="mt-0.5 flex-none" />
      {bot.motivo === 'manutencao' ? (
        'O bot está em manutenção: o que você escrever fica guardado e não é respondido.'
      ) : bot.qrCode === null ? (
        <span>
          O bot não está conectado.{' '}
          <Link to="/dashboard" search={{ aba: 'geral' }} className="underline">
            Inicie o bot na aba Geral
          </Link>
          .
        </span>
      ) : (
        'O bot não está conectado. Escaneie o código com o celular da empresa.'
      )}
    </p>
  )
}

/** The indicator lasts some seconds, so it is repeated only before it ends. */
const REPEAT_MS = 3_000

let lastNotice = { telefone: '', em: 0 }

function notifyCustomerTyping(line: SimulatedLine, telefone: string): void {
  const now = performance.now()
  if (lastNotice.telefone === telefone && now - lastNotice.em < REPEAT_MS) return
  lastNotice = { telefone, em: now }
  call(digitandoSimuladoRoute, { body: { ...line, telefone } }).catch(() => undefined)
}

const STAGE_LABEL: Readonly<Record<string, string>> = {
  menu: 'bot · no menu',
  ia: 'bot · conversando com a IA',
  loja: 'bot · vendo a loja',
  humano: 'com uma pessoa · o bot espera',
  avaliando: 'bot · esperando a nota',
  encerrada: 'bot · conversa encerrada',
}

function customerStage({ conversasAtivas, isRunning }: BotStatus, telefone: string): string {
  const etapa = conversasAtivas.find((conversa) => isSameContato(conversa.telefone, telefone))?.etapa
  if (!isRunning) return 'bot desligado'
  return (etapa === undefined ? undefined : STAGE_LABEL[etapa]) ?? 'bot · responde na hora'
}
