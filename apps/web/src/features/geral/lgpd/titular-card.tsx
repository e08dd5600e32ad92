import type { TitularCounts, TitularSummary } from '@balcao/contract/entities/lgpd'
import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { downloadText } from '#shared/download.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { formatDate, formatNumber, formatPhone } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { EraseCustomer } from './erase-customer.tsx'
import { fetchTitularExport } from './lgpd-queries.ts'

const COUNT_NAMES: readonly (readonly [keyof TitularCounts, string])[] = [
  ['conversas', 'Conversas'],
  ['mensagens', 'Mensagens'],
  ['midias', 'Arquivos'],
  ['avaliacoes', 'Avaliações'],
  ['consentimentos', 'Avisos e escolhas'],
  ['registros', 'Linhas do log'],
  ['respostasIa', 'Respostas da IA'],
]

export interface TitularCardProps {
  readonly titular: TitularSummary
  readonly searched: string
  readonly onErased: () => void
}

export function TitularCard({ titular, searched, onErased }: TitularCardProps) {
  const [apagando, setApagando] = useState(false)
  const [exportando, setExportando] = useState(false)
  const { nome, telefone, desde, ultimaAtividade, paradoDesde, emAtendimento, contagem } = titular
  const numero = telefone === '' ? searched : formatPhone(telefone)

  async function exportar(): Promise<void> {
    setExportando(true)
    try {
      const data = await fetchTitularExport(searched)
      const digits = (telefone === '' ? searched : telefone).replace(/\D/g, '')
      downloadText(`dados-do-cliente-${digits}.json`, 'application/json', JSON.stringify(data, null, 2))
      notify.sucesso('Dados exportados. Entregue o arquivo só ao próprio cliente.')
    } catch (error) {
      notify.erro(errorMessage(error))
    }
    setExportando(false)
  }

  return (
    <div className="rounded-card bg-sunken p-4">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <p className="font-bold break-words">{nome === '' ? 'Sem nome' : nome}</p>
        <p className="text-muted tabular-nums">{numero}</p>
        {emAtendimento && <Chip tone="amarelo">Em atendimento</Chip>}
      </div>
      <p className="mt-0.5 text-sm text-muted">
        Cliente desde {formatDate(desde)}, escreveu pela última vez em {formatDate(ultimaAtividade)}.
        {paradoDesde !== null && ` Pediu para não receber mensagens automáticas em ${formatDate(paradoDesde)}.`}
      </p>
      <dl className="mt-4 grid grid-cols-2 gap-x-4 gap-y-2 lg:grid-cols-4">
        {COUNT_NAMES.map(([field, label]) => (
          <div key={field}>
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="font-semibold tabular-nums">{formatNumber(contagem[field])}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button className="min-h-11" busy={exportando} onClick={() => void exportar()}>
          {!exportando && <Download size={18} aria-hidden />}
          {exportando ? 'Exportando…' : 'Exportar dados'}
        </Button>
        <Button variant="danger" className="min-h-11" onClick={() => setApagando(true)}>
          <Trash2 size={18} aria-hidden /> Apagar tudo
        </Button>
      </div>
      <EraseCustomer
        open={apagando}
        nome={nome}
        telefone={telefone}
        searched={searched}
        onClose={() => setApagando(false)}
        onErased={onErased}
      />
    </div>
  )
}
