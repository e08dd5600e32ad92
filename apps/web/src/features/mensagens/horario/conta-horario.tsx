import { defaultHorario } from '@balcao/contract/defaults'
import type { Horario } from '@balcao/contract/entities/config'
import { describeHorario, localMinuteAt } from '@balcao/engine/rules/horario'
import type { MenuDraft } from '#features/mensagens/menu/menu-draft.ts'
import type { MenuEditorState } from '#features/mensagens/use-menu-editor.ts'
import { useEffect, useState } from 'react'
import { describeOpening } from '@balcao/engine/rules/opening'
import { useUsageStats } from '#shared/data/use-usage-stats.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { Select } from '#shared/ui/select.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { exceptionOn, formatDates, markFeriados, upcomingFeriados } from './dates.ts'
import { OtherDates } from './other-dates.tsx'
import { DAY_NAME, WEEK_DAYS, formatDayHours } from './week.ts'
import { WeekEditor, type WeekEditorProps } from './week-editor.tsx'

/** Replaces opening hours written in texts with `{horario}`, which stays correct after a change. */

const ANY_YEAR = 2026

function outdatedPhrases(stored: Horario, current: Horario): string[] {
  const right = describeHorario(current)
  return [describeHorario(defaultHorario(ANY_YEAR)), describeHorario(stored)].filter((sentence) => sentence !== right)
}

function replacePhrases(text: string, phrases: readonly string[]): string {
  return phrases.reduce((done, sentence) => {
    const at = done.toLowerCase().indexOf(sentence.toLowerCase())
    return at < 0 ? done : `${done.slice(0, at)}{horario}${done.slice(at + sentence.length)}`
  }, text)
}

function withHorarioPlaceholder(draft: MenuDraft, stored: Horario, current: Horario): MenuDraft {
  const phrases = outdatedPhrases(stored, current)
  const fresh = {
    ...draft,
    menuPrincipal: replacePhrases(draft.menuPrincipal, phrases),
    opcoes: draft.opcoes.map((opcao) => ({ ...opcao, resposta: replacePhrases(opcao.resposta, phrases) })),
    mensagens: {
      ...draft.mensagens,
      ...Object.fromEntries(
        Object.entries(draft.mensagens).map(([name, text]) => [name, replacePhrases(text, phrases)]),
      ),
    },
  }
  return JSON.stringify(fresh) === JSON.stringify(draft) ? draft : fresh
}

export function ContaHorario({ editor, stored }: { editor: MenuEditorState; stored: Horario }) {
  const { draft, horario, editing, change, changeHorario, parts } = editor
  const corrected = withHorarioPlaceholder(draft, stored, horario)
  return (
    <HorarioCard
      horario={horario}
      editing={editing}
      onChange={changeHorario}
      onReplaceTexts={
        corrected === draft || !parts.menu
          ? undefined
          : () => change((current) => withHorarioPlaceholder(current, stored, horario))
      }
    />
  )
}

const NEXT_DATES_MAX = 4

function HorarioView({ horario, today }: { horario: Horario; today: string }) {
  const upcoming = horario.excecoes.filter(({ data }) => data >= today).toSorted((a, b) => (a.data < b.data ? -1 : 1))
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <div>
        <h3 className="font-bold">Toda semana</h3>
        <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 text-sm">
          {WEEK_DAYS.map((day) => (
            <div key={day} className="contents">
              <dt className="py-1 text-muted">{DAY_NAME[day]}</dt>
              <dd className="py-1 font-semibold tabular-nums">{formatDayHours(horario.dias[day])}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div>
        <h3 className="font-bold">Próximas datas</h3>
        {upcoming.length === 0 && <p className="mt-2 text-sm text-muted">Nenhum feriado e nenhuma data marcada.</p>}
        <ul className="mt-1 text-sm">
          {upcoming.slice(0, NEXT_DATES_MAX).map(({ data, nome, intervalos }) => (
            <li key={data} className="py-1">
              <span className="font-semibold">{nome === '' ? 'Data marcada' : nome}</span>
              <span className="block text-muted">
                {formatDates([data])} · {formatDayHours(intervalos).toLowerCase()}
              </span>
            </li>
          ))}
        </ul>
        {upcoming.length > NEXT_DATES_MAX && (
          <p className="py-1 text-sm text-muted">e mais {upcoming.length - NEXT_DATES_MAX}</p>
        )}
        <p className="mt-2 text-sm text-muted">Hora de {zoneName(horario.fuso)}.</p>
      </div>
    </div>
  )
}

const HALF_MINUTE_MS = 30_000

function useClock(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), HALF_MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Without this permission the server ignores changes of the horario. */
function useHasAtendimento(): boolean {
  const { tipo } = useUsuario()
  const { data } = useUsageStats()
  return tipo === 'admin' || data === undefined || data.componentesPermitidos.atendimentoHumano
}

function HorarioFields({ horario, today, onChange }: WeekEditorProps & { today: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div>
        <h3 className="font-bold">Toda semana</h3>
        <WeekEditor horario={horario} onChange={onChange} />
      </div>
      <div>
        <FeriadoList horario={horario} today={today} onChange={onChange} />
      </div>
      <div>
        <OtherDates horario={horario} today={today} onChange={onChange} />
      </div>
      <Select
        label="Fuso horário"
        hint="Vale para o horário de atendimento, para {data} e {hora}, e para a virada do limite diário."
        value={horario.fuso}
        options={zoneOptions(horario.fuso)}
        onChange={(fuso) => onChange((current) => ({ ...current, fuso }))}
      />
    </div>
  )
}

function FeriadoList({ horario, today, onChange }: WeekEditorProps & { today: string }) {
  const feriados = upcomingFeriados(today)
  const open = feriados.filter(({ data }) => exceptionOn(horario, data) === undefined)
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h3 className="mr-auto font-bold">Feriados nacionais</h3>
        {open.length > 0 && (
          <Button variant="ghost" size="sm" onClick={() => onChange((current) => markFeriados(current, open, true))}>
            Fechar em todos
          </Button>
        )}
      </div>
      <p className="mt-1 text-sm text-muted">Os próximos doze meses. Ligado, a casa não abre nesse dia.</p>
      <ul className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-x-6 sm:grid-cols-2">
        {feriados.map((feriado) => {
          const exception = exceptionOn(horario, feriado.data)
          const special = exception !== undefined && exception.intervalos.length > 0
          return (
            <li key={feriado.data} className="border-b border-line py-2">
              <Switch
                label={feriado.nome}
                hint={`${formatDates([feriado.data])}${special ? ` · abre ${formatDayHours(exception.intervalos)}` : ''}`}
                on={exception !== undefined && !special}
                onChange={(closed) => onChange((current) => markFeriados(current, [feriado], closed))}
              />
            </li>
          )
        })}
      </ul>
    </>
  )
}

interface HorarioCardProps extends WeekEditorProps {
  readonly editing: boolean
  readonly onReplaceTexts?: (() => void) | undefined
}

function HorarioCard({ horario, editing, onChange, onReplaceTexts }: HorarioCardProps) {
  const now = useClock()
  const allowed = useHasAtendimento()
  const today = localMinuteAt(now, horario.fuso).data
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div>
        <p className="text-lg">
          Agora: <strong>{describeOpening(horario, now)}</strong>
        </p>
        <p className="mt-1 text-sm text-muted">
          O bot responde a qualquer hora. Fora do horário, quem pede um atendente recebe a mensagem “Fora do período” e
          fica na fila.
        </p>
      </div>
      {!allowed && (
        <p className="rounded-card bg-info-soft p-3 text-sm text-info-ink">
          Sua conta não tem o atendimento por pessoas, por isso o horário não pode ser mudado. Fale com o administrador.
        </p>
      )}
      {editing && onReplaceTexts !== undefined && (
        <div className="flex flex-wrap items-center gap-3 rounded-card bg-warn-soft p-3 text-sm text-warn-ink">
          <p className="min-w-48 flex-1">
            Há textos do menu com outro horário escrito à mão. Com <b>{'{horario}'}</b> eles ficam sempre certos.
          </p>
          <Button size="sm" onClick={onReplaceTexts}>
            Usar {'{horario}'}
          </Button>
        </div>
      )}
      {editing && allowed ? (
        <HorarioFields horario={horario} today={today} onChange={onChange} />
      ) : (
        <HorarioView horario={horario} today={today} />
      )}
    </div>
  )
}

const BRAZIL_ZONES: readonly (readonly [string, string])[] = [
  ['America/Sao_Paulo', 'Brasília (DF, Sul, Sudeste, Nordeste, GO, TO, PA e AP)'],
  ['America/Manaus', 'Amazonas (AM, RO e RR)'],
  ['America/Cuiaba', 'Mato Grosso e Mato Grosso do Sul'],
  ['America/Rio_Branco', 'Acre e sudoeste do Amazonas'],
  ['America/Noronha', 'Fernando de Noronha'],
]

function zoneOptions(current: string): { valor: string; rotulo: string }[] {
  const opcoes = BRAZIL_ZONES.map(([valor, rotulo]) => ({ valor, rotulo }))
  return opcoes.some(({ valor }) => valor === current) ? opcoes : [...opcoes, { valor: current, rotulo: current }]
}

const zoneName = (zone: string): string => zoneOptions(zone).find(({ valor }) => valor === zone)?.rotulo ?? zone
