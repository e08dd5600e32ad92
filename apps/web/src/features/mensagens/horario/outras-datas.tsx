import type { Intervalo } from '@balcao/contract/entities/config'
import { CalendarPlus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import {
  adicionarDatas,
  datasEmPalavras,
  datasProprias,
  faltaNasDatas,
  type FaltaNaData,
  type NovaData,
  tirarDatas,
} from './datas.ts'
import { Periodos } from './periodos.tsx'
import { faltaNosPeriodos, periodosEmPalavras } from './semana.ts'
import type { SemanaProps } from './semana-em-edicao.tsx'

const VAZIA: NovaData = { de: '', ate: '', nome: '', intervalos: [] }
const MEIO_PERIODO: readonly Intervalo[] = [{ inicio: '08:00', fim: '12:00' }]

function Formulario({ horario, hoje, onMudar }: SemanaProps & { hoje: string }) {
  const [nova, setNova] = useState(VAZIA)
  const [falta, setFalta] = useState<FaltaNaData | null>(null)
  const mudar = (campos: Partial<NovaData>): void => {
    setNova((atual) => ({ ...atual, ...campos }))
    setFalta(null)
  }
  const adicionar = (): void => {
    const achada = faltaNasDatas(nova, horario, hoje)
    setFalta(achada)
    if (achada !== null) return document.getElementsByName(`data-${achada.campo}`)[0]?.focus()
    if (faltaNosPeriodos(nova.intervalos) !== undefined) return
    onMudar((atual) => adicionarDatas(atual, nova, hoje))
    setNova(VAZIA)
  }
  return (
    <fieldset className="mt-3 grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 rounded-card bg-sunken p-3 sm:p-4">
      <legend className="sr-only">Nova data</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          rotulo="Dia"
          type="date"
          name="data-de"
          min={hoje}
          value={nova.de}
          erro={falta?.campo === 'de' ? falta.mensagem : undefined}
          onChange={({ currentTarget }) => mudar({ de: currentTarget.value })}
        />
        <TextField
          rotulo="Até (se forem vários)"
          type="date"
          name="data-ate"
          min={nova.de === '' ? hoje : nova.de}
          value={nova.ate}
          erro={falta?.campo === 'ate' ? falta.mensagem : undefined}
          onChange={({ currentTarget }) => mudar({ ate: currentTarget.value })}
        />
      </div>
      <TextField
        rotulo="Motivo"
        placeholder="Férias coletivas, aniversário da cidade…"
        maxLength={80}
        value={nova.nome}
        onChange={({ currentTarget }) => mudar({ nome: currentTarget.value })}
      />
      <Switch
        rotulo="Fechado o dia todo"
        dica="Desligue para abrir em outro horário, como na véspera de Natal."
        ligado={nova.intervalos.length === 0}
        onMudar={(fechado) => mudar({ intervalos: fechado ? [] : MEIO_PERIODO })}
      />
      {nova.intervalos.length > 0 && (
        <Periodos de="Nova data" intervalos={nova.intervalos} onMudar={(intervalos) => mudar({ intervalos })} />
      )}
      <Button className="min-h-11 justify-self-start" onClick={adicionar}>
        <CalendarPlus size={17} aria-hidden /> Adicionar data
      </Button>
    </fieldset>
  )
}

export function OutrasDatas({ horario, hoje, onMudar }: SemanaProps & { hoje: string }) {
  const temporadas = datasProprias(horario, hoje)
  return (
    <>
      <h3 className="font-bold">Outras datas</h3>
      <p className="mt-1 text-sm text-muted">
        Feriado da cidade, férias, inventário: dias em que a casa fecha ou abre em outro horário.
      </p>
      {temporadas.length > 0 && (
        <ul className="mt-2">
          {temporadas.map(({ datas, nome, intervalos }) => {
            const palavras = datasEmPalavras(datas)
            return (
              <li key={datas[0]} className="flex items-center gap-3 border-b border-line py-2">
                <div className="mr-auto min-w-0">
                  <p className="font-semibold break-words">{nome === '' ? 'Sem motivo' : nome}</p>
                  <p className="text-sm text-muted">
                    {palavras} · {periodosEmPalavras(intervalos).toLowerCase()}
                  </p>
                </div>
                <IconButton
                  rotulo={`Remover ${nome === '' ? palavras : nome}`}
                  dica={false}
                  icone={<Trash2 size={17} aria-hidden />}
                  onClick={() => onMudar((atual) => tirarDatas(atual, datas))}
                />
              </li>
            )
          })}
        </ul>
      )}
      <Formulario horario={horario} hoje={hoje} onMudar={onMudar} />
    </>
  )
}
