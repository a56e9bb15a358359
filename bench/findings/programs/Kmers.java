/* SPDX-License-Identifier: Apache-2.0 */
/* Kmers ROUNDS [THREADS]: computes on that many threads. */
public class Kmers {
	static long sum;

	static void count(long rounds) {
		long state = 1, total = 0;
		for (long round = 0; round < rounds * 1000000L; round++) {
			state = state * 6364136223846793005L + 1442695040888963407L;
			total += Long.bitCount(state);
		}
		synchronized (Kmers.class) {
			sum += total;
		}
	}

	public static void main(String[] args) throws InterruptedException {
		int threads = args.length > 1 ? Integer.parseInt(args[1]) : 1;
		long rounds = Long.parseLong(args[0]) / threads;
		Thread[] all = new Thread[threads];
		for (int i = 0; i < threads; i++) {
			all[i] = new Thread(() -> count(rounds));
			all[i].start();
		}
		for (Thread each : all)
			each.join();
		System.out.println(sum);
	}
}
