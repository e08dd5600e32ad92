import type { ContagemDoTitular, ResumoDoTitular } from '@balcao/contract/entities/lgpd'
import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { avisar } from '#shared/avisos.ts'
import { baixar } from '#shared/baixar.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { formatDate, formatNumber, formatPhone } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { ApagarCliente } from './apagar-cliente.tsx'
import { exportarTitular } from './consultas.ts'

const NOMES: readonly (readonly [keyof ContagemDoTitular, string])[] = [
  ['conversas', 'Conversas'],
  ['mensagens', 'Mensagens'],
  ['midias', 'Arquivos'],
  ['avaliacoes', 'Avaliações'],
  ['consentimentos', 'Avisos e escolhas'],
  ['registros', 'Linhas do log'],
  ['respostasIa', 'Respostas da IA'],
]

export interface ClienteProps {
  readonly titular: ResumoDoTitular
  readonly procurado: string
  readonly onApagado: () => void
}

export function Cliente({ titular, procurado, onApagado }: ClienteProps) {
  const [apagando, setApagando] = useState(false)
  const [exportando, setExportando] = useState(false)
  const { nome, telefone, desde, ultimaAtividade, paradoDesde, emAtendimento, contagem } = titular
  const numero = telefone === '' ? procurado : formatPhone(telefone)

  async function exportar(): Promise<void> {
    setExportando(true)
    try {
      const dados = await exportarTitular(procurado)
      const digitos = (telefone === '' ? procurado : telefone).replace(/\D/g, '')
      baixar(`dados-do-cliente-${digitos}.json`, 'application/json', JSON.stringify(dados, null, 2))
      avisar.sucesso('Dados exportados. Entregue o arquivo só ao próprio cliente.')
    } catch (erro) {
      avisar.erro(mensagemDe(erro))
    }
    setExportando(false)
  }

  return (
    <div className="rounded-card bg-sunken p-4">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <p className="font-bold break-words">{nome === '' ? 'Sem nome' : nome}</p>
        <p className="text-muted tabular-nums">{numero}</p>
        {emAtendimento && <Chip tom="amarelo">Em atendimento</Chip>}
      </div>
      <p className="mt-0.5 text-sm text-muted">
        Cliente desde {formatDate(desde)}, escreveu pela última vez em {formatDate(ultimaAtividade)}.
        {paradoDesde !== null && ` Pediu para não receber mensagens automáticas em ${formatDate(paradoDesde)}.`}
      </p>
      <dl className="mt-4 grid grid-cols-2 gap-x-4 gap-y-2 lg:grid-cols-4">
        {NOMES.map(([campo, rotulo]) => (
          <div key={campo}>
            <dt className="text-sm text-muted">{rotulo}</dt>
            <dd className="font-semibold tabular-nums">{formatNumber(contagem[campo])}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button className="min-h-11" ocupado={exportando} onClick={() => void exportar()}>
          {!exportando && <Download size={18} aria-hidden />}
          {exportando ? 'Exportando…' : 'Exportar dados'}
        </Button>
        <Button variante="danger" className="min-h-11" onClick={() => setApagando(true)}>
          <Trash2 size={18} aria-hidden /> Apagar tudo
        </Button>
      </div>
      <ApagarCliente
        aberto={apagando}
        nome={nome}
        telefone={telefone}
        procurado={procurado}
        onFechar={() => setApagando(false)}
        onApagado={onApagado}
      />
    </div>
  )
}
