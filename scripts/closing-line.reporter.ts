import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with one plain line, `N passed, N failed, N skipped`, for whoever reads only that. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modulos: readonly TestModule[]): void {
    const total = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const modulo of modulos) {
      for (const teste of modulo.children.allTests()) total[teste.result().state] += 1
    }
    process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
  }
}
