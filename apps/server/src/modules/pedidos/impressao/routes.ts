import type { Pedido } from '@balcao/contract/entities/pedido'
import { impressoraRoute, testarImpressoraRoute } from '@balcao/contract/routes/impressora'
import { ticketBytes } from '@balcao/engine/pedidos/ticket'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { countAttempt, testLimit } from '#modules/auth/index.ts'
import { readTimeZone } from '#modules/contas/index.ts'
import { PrinterRefused, PrinterSilent } from '#ports/impressora/printer.ts'

type PrinterDeps = Pick<Deps, 'db' | 'clock' | 'printer'>

export function printerRoutes(deps: PrinterDeps): BoundRoute[] {
  const { db, clock, printer } = deps
  return [
    bind(impressoraRoute, async () => ({ disponivel: printer.enabled })),
    bind(testarImpressoraRoute, async ({ sessao: { contaId, empresa }, body }) => {
      if (!printer.enabled) throw new AppError('impressoraDesligada')
      const fuso = await db.transaction(contaId, async (tx) => {
        await countAttempt(tx, deps, testLimit('impressora', contaId))
        return readTimeZone(tx, { contaId })
      })
      const sample = samplePedido(clock.now())
      await printer.print(body, ticketBytes(sample, { largura: body.largura, empresa, fuso })).catch(refuse)
      return { sucesso: true as const }
    }),
  ]
}

function refuse(error: unknown): never {
  if (error instanceof PrinterRefused) throw new AppError('impressoraRecusada')
  throw error instanceof PrinterSilent ? new AppError('impressoraSemResposta') : error
}

function samplePedido(now: Date): Pedido {
  const item = { produtoId: '', nome: 'Teste da impressora', quantidade: 1, precoCentavos: 100, observacao: '' }
  return {
    ...{ id: '', numero: 0, contatoId: '', conversaId: '', cliente: 'Teste', txid: '', observacao: '' },
    itens: [{ ...item, opcoes: [] }],
    ...{ subtotalCentavos: 100, entregaCentavos: 0, descontoCentavos: 0, totalCentavos: 100 },
    entrega: { tipo: 'retirada', endereco: '', bairro: '', cep: '' },
    pagamento: { forma: 'dinheiro', estado: 'pendente' },
    ...{ status: 'novo', criadoEm: now.toISOString(), atualizadoEm: now.toISOString() },
  }
}
