/* SPDX-License-Identifier: Apache-2.0 */
/* Pool THREADS COMMAND…: a pool of threads that has nothing to do while it waits for a command. */
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class Pool {
	public static void main(String[] args) throws Exception {
		int threads = Integer.parseInt(args[0]);
		ExecutorService pool = Executors.newFixedThreadPool(threads);
		CountDownLatch begun = new CountDownLatch(threads);
		for (int i = 0; i < threads; i++)
			pool.submit(begun::countDown);
		begun.await();
		int status = new ProcessBuilder(Arrays.asList(args).subList(1, args.length)).inheritIO().start().waitFor();
		pool.shutdown();
		System.exit(status);
	}
}
